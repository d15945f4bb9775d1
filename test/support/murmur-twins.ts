/**
 * Ids that share one MurmurHash3_x86_32 of seed 0, as anybody can make them: of twelve characters, of which the last four are solved for.
 */
const C1 = 0xcc9e2d51 | 0;
const C2 = 0x1b873593;
const SHARED_STATE = 0x12345678;
const PREFIX_CHARACTERS = 'abcdefghijklmnopqrstuvwxyz012345';

/** The number by which `factor`, odd, times it is 1 in 32 bits (Newton's iteration). */
function inverse(factor: number): number {
  let x = factor;
  for (let i = 0; i < 5; i++) x = Math.imul(x, 2 - Math.imul(factor, x));
  return x;
}

const rotate = (word: number, by: number): number => (word << by) | (word >>> (32 - by));
const scramble = (word: number): number => Math.imul(rotate(Math.imul(word, C1), 15), C2);
const unscramble = (word: number): number => Math.imul(rotate(Math.imul(word, inverse(C2)), 17), inverse(C1));
const step = (hash: number, word: number): number => (Math.imul(rotate(hash ^ scramble(word), 13), 5) + 0xe6546b64) | 0;
const beforeStep = rotate(Math.imul((SHARED_STATE - 0xe6546b64) | 0, inverse(5)), 19);

const wordAt = (text: string, at: number): number =>
  text.charCodeAt(at) |
  (text.charCodeAt(at + 1) << 8) |
  (text.charCodeAt(at + 2) << 16) |
  (text.charCodeAt(at + 3) << 24);

/** Whether the four bytes of a word are letters, digits or signs that JSON needs not escape. */
const isPlain = (word: number): boolean =>
  [0, 8, 16, 24].every((shift) => {
    const code = (word >>> shift) & 0xff;
    return code > 0x22 && code < 0x7f && code !== 0x5c;
  });

/** `count` different ids of one hash. */
export function murmurTwins(count: number): string[] {
  const ids: string[] = [];
  for (let n = 0; ids.length < count; n++) {
    let prefix = '';
    for (let i = 0, left = n; i < 8; i++, left = Math.floor(left / 32)) prefix += PREFIX_CHARACTERS[left % 32];
    const word = unscramble(beforeStep ^ step(step(0, wordAt(prefix, 0)), wordAt(prefix, 4)));
    if (isPlain(word)) ids.push(prefix + Buffer.from(Int32Array.of(word).buffer).toString('latin1'));
  }
  return ids;
}
