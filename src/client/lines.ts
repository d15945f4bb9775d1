/**
 * NDJSON as it comes: bytes of any chunking into lines. Used by exports, and by imports of bytes.
 *
 * Never holds more than one chunk and one line, and never puts a replacement character for what is not UTF-8.
 */
import { SabreError } from './sabre-error.js';

const NEWLINE = 10;
const NO_BYTES: Uint8Array = new Uint8Array();

/** `source` one by one: streams of browsers without an iterator of their own, too, and each stream so that return() ends a wait. */
export function iterate<Value>(
  source: Iterable<Value> | AsyncIterable<Value> | ReadableStream<Value>,
): AsyncIterator<Value, unknown> {
  if ('getReader' in source) {
    const reader = source.getReader();
    return {
      next: () => reader.read() as Promise<IteratorResult<Value, unknown>>,
      return: async () => ({ done: true, value: await reader.cancel() }),
    };
  }
  if (Symbol.asyncIterator in source) return source[Symbol.asyncIterator]();
  return (async function* () {
    yield* source;
  })();
}

/** Cuts bytes into lines. */
export interface LineCutter {
  /** The lines that end in `bytes`, without blank ones, to be taken before the next push. Errors: SabreError for one that is not UTF-8. */
  push(bytes: Uint8Array): Iterable<string>;
  /** What is left behind the last line end. Errors: as of push(). */
  end(): Iterable<string>;
}

function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

export function cutLines(): LineCutter {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  /** Of the line that has not ended yet: joined once, however many chunks it comes in. */
  let parts: Uint8Array[] = [];
  let line = 0;

  /** The line that ends with `bytes`, unless it is blank. No character goes over a line end, so each is decoded alone. */
  function* take(bytes: Uint8Array): Generator<string> {
    line++;
    let text: string;
    try {
      text = decoder.decode(parts.length === 0 ? bytes : joinBytes([...parts, bytes]));
    } catch (cause) {
      throw new SabreError('invalid_utf8', `line ${line} is not UTF-8`, { cause });
    }
    parts = [];
    if (text.trim() !== '') yield text;
  }

  return {
    *push(bytes) {
      let start = 0;
      for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
        yield* take(bytes.subarray(start, end));
        start = end + 1;
      }
      // Whoever gives the bytes may use their memory again.
      if (start < bytes.length) parts.push(bytes.slice(start));
    },
    end: () => take(NO_BYTES),
  };
}
