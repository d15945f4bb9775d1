/**
 * What turns another form of documents into JSON lines, chunk by chunk.
 */

export interface LineSource {
  /** Takes the next bytes of the input and returns the lines, or parts of lines, that they make. Errors: CommandError. */
  feed(chunk: Buffer): Buffer;
  /** Everything was fed: returns what is left. Errors: CommandError. */
  end(): Buffer;
}

/** `chunk` without the byte order mark that it may begin with. */
export function withoutByteOrderMark(chunk: Buffer): Buffer {
  return chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf ? chunk.subarray(3) : chunk;
}
