/**
 * NDJSON as it comes: bytes of any chunking into lines. Used by exports, and by imports of bytes.
 *
 * Never holds more than one chunk and one line.
 */

/** What can be awaited one by one: streams of browsers without an iterator of their own, too. */
export async function* each<Value>(
  source: Iterable<Value> | AsyncIterable<Value> | ReadableStream<Value>,
): AsyncGenerator<Value> {
  if (Symbol.asyncIterator in source || Symbol.iterator in source) {
    yield* source as AsyncIterable<Value>;
    return;
  }
  const reader = (source as ReadableStream<Value>).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    // Whoever leaves early wants no more of it; after the end this does nothing.
    reader.cancel().catch(() => {});
  }
}

/** Cuts bytes into lines. */
export interface LineCutter {
  /** The lines that end in `bytes`, without blank ones. */
  push(bytes: Uint8Array): string[];
  /** What is left behind the last line end. */
  end(): string[];
}

export function cutLines(): LineCutter {
  const decoder = new TextDecoder();
  let rest = '';
  const isText = (line: string): boolean => line.trim() !== '';
  return {
    push(bytes) {
      const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      return lines.filter(isText);
    },
    end: () => [rest + decoder.decode()].filter(isText),
  };
}
