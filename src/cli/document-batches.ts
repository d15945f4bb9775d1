/**
 * A file of documents, read as batches of JSON lines or sampled. Used by the import command.
 *
 * Holds one batch and what the streams read ahead; never the file.
 */
import { BatchBuilder, type BatchLimits, type DocumentBatch, type LineUnit } from '../import/batch-builder.js';
import { isBlank, type LineSource } from '../import/line-source.js';
import { FileBytes, type InputBytes } from './input-bytes.js';
import { asBuffer } from './node-byte-text.js';

/** What a sample may take. */
const SAMPLE_BYTES_MAX = 64 * 1024 * 1024;
const NEWLINE = 10;
const CARRIAGE_RETURN = 13;

/** A file of documents, or another input, that is being read. */
export class DocumentFile {
  readonly #input: InputBytes;
  /** What its parts are called in messages. */
  readonly unit: LineUnit;
  /** null: they are lines already. */
  #makeLines: (() => LineSource) | null = null;

  /** Errors: those of the file system. */
  constructor(input: string | InputBytes, unit: LineUnit = 'line') {
    this.unit = unit;
    this.#input = typeof input === 'string' ? new FileBytes(input) : input;
  }

  /** Size on disk; 0: not known. */
  get bytes(): number {
    return this.#input.bytes;
  }

  /** Bytes of the file on disk read so far. */
  get bytesRead(): number {
    return this.#input.bytesRead;
  }

  /** From now on what is read is no lines, and `makeLines` makes what turns it into some. */
  readBy(makeLines: () => LineSource): void {
    this.#makeLines = makeLines;
  }

  /** No more is wanted. */
  close(): void {
    this.#input.close();
  }

  /** The batches in the order of the file. Errors: those of the file system, of a damaged gzip file, of the line source, and of the builder. */
  async *batches(limits: BatchLimits, chunks = this.#input.chunks()): AsyncGenerator<DocumentBatch> {
    const builder = new BatchBuilder(limits, this.unit);
    for await (const chunk of this.#lines(chunks)) {
      builder.feed(chunk);
      for (let batch = builder.take(); batch !== null; batch = builder.take()) yield batch;
    }
    for (let batch = builder.end(); batch !== null; batch = builder.end()) yield batch;
  }

  /**
   * About `count` documents as text, spread evenly over the whole file, or over the beginning of an input that can be read only once.
   */
  async sample(count: number): Promise<string[]> {
    let sample: string[] = [];
    let chars = 0;
    let stride = 1;
    let seen = 0;
    for await (const batch of this.batches({ documents: count, bytes: SAMPLE_BYTES_MAX / 8 }, this.#input.preview())) {
      for (const line of splitLines(this.#wholeLines(batch.body))) {
        if (seen++ % stride !== 0) continue;
        sample.push(line.toString());
        chars += line.length;
      }
      while (sample.length > 2 * count || (chars > SAMPLE_BYTES_MAX && sample.length > 1)) {
        sample = sample.filter((_, i) => i % 2 === 0);
        chars = sample.reduce((sum, line) => sum + line.length, 0);
        stride *= 2;
      }
    }
    return sample;
  }

  async *#lines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array> {
    if (this.#makeLines === null) {
      yield* chunks;
      return;
    }
    const lines = this.#makeLines();
    for await (const chunk of chunks) yield lines.feed(chunk);
    if (this.#input.isWhole) yield lines.end();
  }

  /** `body` without what the end of a preview has left of its last line. */
  #wholeLines(body: Uint8Array): Uint8Array {
    return this.#input.isWhole ? body : body.subarray(0, body.lastIndexOf(NEWLINE) + 1);
  }
}

/** The lines of `bytes`, without their line ends, blank ones left out. */
export function splitLines(bytes: Uint8Array): Buffer[] {
  const body = asBuffer(bytes);
  const lines: Buffer[] = [];
  for (let start = 0; start < body.length; ) {
    const newline = body.indexOf(NEWLINE, start);
    const end = newline < 0 ? body.length : newline;
    const trimmed = end > start && body[end - 1] === CARRIAGE_RETURN ? end - 1 : end;
    if (!isBlank(body, start, end)) lines.push(body.subarray(start, trimmed));
    start = end + 1;
  }
  return lines;
}
