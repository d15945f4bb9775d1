/**
 * The record that the crash test writes under a sequence: its bytes follow from the sequence, so damage shows.
 */

/** Up to some 60 KiB of bytes. */
export function recordOf(sequence: number): Uint8Array {
  const bytes = new Uint8Array((sequence * 7919) % 61_000);
  for (let index = 0; index < bytes.length; index++) bytes[index] = sequence * 31 + index;
  return bytes;
}
