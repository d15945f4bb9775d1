/**
 * How JSON is shown in an error message: its type in words, and a short piece of its text.
 *
 * Used by the scanner and the document reader on the failing path only.
 */

const EXCERPT_BYTES_MAX = 60;

/** The value bytes[start..end) as type and excerpt: `number 1.5`, `string "a"`, `null`. */
export function describeValue(bytes: Uint8Array, start: number, end: number): string {
  const type = typeOfValue(bytes, start);
  return type === 'null' ? type : `${type} ${excerpt(bytes, start, end)}`;
}

/** `string`, `number`, `bool`, `null`, `object` or `array`, by the first byte of the value at `start`. */
function typeOfValue(bytes: Uint8Array, start: number): string {
  switch (bytes[start]) {
    case 0x22:
      return 'string';
    case 0x7b:
      return 'object';
    case 0x5b:
      return 'array';
    case 0x74:
    case 0x66:
      return 'bool';
    case 0x6e:
      return 'null';
    default:
      return 'number';
  }
}

/**
 * bytes[start..end) as text, cut after about 60 bytes with "..." in place of the rest. Never cuts a character: one that
 * begins inside is shown whole, also past `end`. White space and control characters become single spaces.
 */
export function excerpt(bytes: Uint8Array, start: number, end: number): string {
  let stop = Math.min(end, start + EXCERPT_BYTES_MAX);
  while (stop < bytes.length && stop - start < EXCERPT_BYTES_MAX + 4 && (bytes[stop] & 0xc0) === 0x80) stop++;
  const text = Buffer.from(bytes.slice(start, stop)).toString('utf8');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not reach a log or a terminal.
  const shown = text.replace(/[\u0000-\u0020\u007f]+/g, ' ');
  return stop < end ? `${shown}...` : shown;
}
