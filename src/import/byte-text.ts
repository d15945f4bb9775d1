/**
 * Texts of one character a byte (latin1), as the CSV reader cuts them, to bytes and back. Node has calls of its own for it, which
 * the import command uses; these here run everywhere.
 */

export interface ByteText {
  /** Each byte as the character of its number. */
  toLatin1(bytes: Uint8Array): string;
  /** Back again. `text` has no character above 0xff. */
  fromLatin1(text: string): Uint8Array<ArrayBuffer>;
  isUtf8(bytes: Uint8Array): boolean;
}

/** What is spread into one call: more would not fit on the stack. */
const CHARS_A_CALL = 8192;
const strict = new TextDecoder('utf-8', { fatal: true });

export const portableByteText: ByteText = {
  toLatin1(bytes) {
    let text = '';
    // Not by spreading, which asks an iterator for each byte: 14 times slower.
    for (let at = 0; at < bytes.length; at += CHARS_A_CALL)
      text += String.fromCharCode.apply(null, bytes.subarray(at, at + CHARS_A_CALL) as unknown as number[]);
    return text;
  },
  fromLatin1(text) {
    const bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
    return bytes;
  },
  isUtf8(bytes) {
    try {
      strict.decode(bytes);
      return true;
    } catch {
      return false;
    }
  },
};
