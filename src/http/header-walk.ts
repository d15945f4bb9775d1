/**
 * One walk over all headers of a request: finds what a lookup by name does not show, because it returns the first of
 * several only.
 *
 * Called by server.ts for each request, before its route. uWebSockets.js takes the first of two lengths and an empty one as
 * none, and 20.51 and 20.69 read every Transfer-Encoding as chunked (20.70 refuses others; a later change takes whatever ends
 * in that word). A proxy that reads the same bytes differently sees the end of the body elsewhere, and what follows as
 * another client's request (RFC 9112, section 11.2). So the connection is refused, whatever was meant and whichever version
 * runs.
 */
import { quoteForMessage } from './request-error.js';

const DIGITS = /^[0-9]+$/;

export class HeaderWalk {
  /** All values of `x-forwarded-for`, in their order, joined by commas. */
  forwardedFor = '';
  /** As those of `if-none-match`, `accept` and `accept-encoding`. */
  ifNoneMatch = '';
  accept = '';
  acceptEncoding = '';
  /** The first of each that is not empty, else '': found on the way, they need not be asked for. */
  requestId = '';
  sequence = '';
  /** '' also when there are several, which is as none. */
  traceParent = '';
  #traceParents = 0;
  #lengths = 0;
  #length = '';
  #encodings = 0;
  #encoding = '';

  /** To be called with each header. A method of its own for each walk would be garbage of every request. */
  readonly visit = (name: string, value: string): void => {
    // Lengths first: they are compared faster than names.
    if (name.length === 14 && name === 'content-length') {
      this.#lengths += 1;
      this.#length = value;
    } else if (name.length === 17 && name === 'transfer-encoding') {
      this.#encodings += 1;
      this.#encoding = value;
    } else if (name.length === 15 && name === 'accept-encoding') {
      this.acceptEncoding = this.acceptEncoding === '' ? value : `${this.acceptEncoding},${value}`;
    } else if (name.length === 15 && name === 'x-forwarded-for') {
      this.forwardedFor = this.forwardedFor === '' ? value : `${this.forwardedFor},${value}`;
    } else if (name.length === 13 && name === 'if-none-match') {
      this.ifNoneMatch = this.ifNoneMatch === '' ? value : `${this.ifNoneMatch},${value}`;
    } else if (name.length === 12 && name === 'x-request-id') {
      if (this.requestId === '') this.requestId = value;
    } else if (name.length === 16 && name === 'x-sabre-sequence') {
      if (this.sequence === '') this.sequence = value;
    } else if (name.length === 6 && name === 'accept') {
      this.accept = this.accept === '' ? value : `${this.accept},${value}`;
    } else if (name.length === 11 && name === 'traceparent') {
      this.#traceParents += 1;
      this.traceParent = this.#traceParents === 1 ? value : '';
    }
  };

  begin(): void {
    this.forwardedFor = '';
    this.ifNoneMatch = '';
    this.acceptEncoding = '';
    this.requestId = '';
    this.accept = '';
    this.sequence = '';
    this.traceParent = '';
    this.#traceParents = 0;
    this.#lengths = 0;
    this.#encodings = 0;
  }

  /** What is wrong with the headers that say where the body ends; null: nothing. */
  fault(): string | null {
    if (this.#lengths === 0 && this.#encodings === 0) return null;
    if (this.#lengths > 0 && this.#encodings > 0)
      return 'headers "content-length" and "transfer-encoding": expected one of them, got both';
    if (this.#lengths > 1) return `header "content-length": expected once, got ${this.#lengths}`;
    if (this.#encodings > 1) return `header "transfer-encoding": expected once, got ${this.#encodings}`;
    if (this.#encodings === 1 && this.#encoding !== 'chunked')
      return `header "transfer-encoding": expected chunked, got ${quoteForMessage(this.#encoding)}`;
    if (this.#lengths === 1 && !DIGITS.test(this.#length))
      return `header "content-length": expected a decimal number, got ${quoteForMessage(this.#length)}`;
    return null;
  }
}
