/** Decodes position streams plainly, to compare what writers wrote and what the phrase kernels read. */

/** Decodes the posting at `offset` into `positions`, which grows as needed; returns how many there are. */
export function readPositions(bytes: Uint8Array, offset: number, positions: number[]): number {
  let at = offset;
  const next = (): number => {
    let value = 0;
    let shift = 0;
    for (; bytes[at] > 127; shift += 7) value += (bytes[at++] & 127) * 2 ** shift;
    return value + bytes[at++] * 2 ** shift;
  };
  const head = next();
  if (head % 2 === 1) {
    positions[0] = (head - 1) / 2;
    return 1;
  }
  const count = head / 2;
  let position = 0;
  for (let i = 0; i < count; i++) {
    position += next();
    positions[i] = position;
  }
  return count;
}
