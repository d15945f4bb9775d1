/**
 * A hash of texts and numbers, one after the other. (FNV-1a: Fowler, Noll & Vo, 1991.)
 */

export const FNV_START = 0x811c9dc5 | 0;
const FNV_PRIME = 0x01000193;
/** Units of a text that are told apart. */
const UNITS_MAX = 64;

export const hashNumber = (start: number, value: number): number => Math.imul(start ^ value, FNV_PRIME);

/** Goes on with the length of `text`, and its first units. */
export function hashText(start: number, text: string): number {
  let hash = hashNumber(start, text.length);
  for (let i = Math.min(text.length, UNITS_MAX) - 1; i >= 0; i--) hash = hashNumber(hash, text.charCodeAt(i));
  return hash;
}
