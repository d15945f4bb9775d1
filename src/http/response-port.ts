/**
 * The part of a uWebSockets.js response that this server uses, so that only server.ts and
 * uws.ts know that library.
 *
 * A port may be used only until its abort handler ran or its response was ended; Exchange keeps track of that.
 */

export interface ResponsePort {
  writeStatus(status: string): unknown;
  writeHeader(name: string, value: string): unknown;
  end(body?: string | Uint8Array, closeConnection?: boolean): unknown;
  /** Given a length it would leave the response open forever (uWebSockets.js 20.51), so no length is passed. */
  endWithoutBody(): unknown;
  /** It keeps a copy of what tryEnd() was given first: what the client has not taken need not be given again. */
  readonly keepsBody?: boolean;
  /** Sends what the socket takes now. Returns [everything was taken, the response is complete]. */
  tryEnd(rest: Uint8Array, totalBytes: number): [boolean, boolean];
  /** Sends a chunk; what the socket does not take now is kept. Returns whether nothing is kept. */
  write(chunk: Uint8Array): boolean;
  getWriteOffset(): number;
  onWritable(handler: (offset: number) => boolean): unknown;
  onAborted(handler: () => void): unknown;
  /** `chunk` is detached when the handler returns. */
  onData(handler: (chunk: ArrayBuffer, isLast: boolean) => void): unknown;
  /** The 4 or 16 bytes of the peer's address. */
  getRemoteAddress(): ArrayBuffer;
  cork(write: () => void): unknown;
  /** Reads no more of a body until resume(). Both begin the library's own time for the connection anew (held-open.ts). */
  pause(): unknown;
  resume(): unknown;
  /** Drops the connection at once; the abort handler runs. */
  close(): unknown;
}
