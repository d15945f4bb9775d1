/**
 * Cuts JSON lines, or what is turned into them, into batches of whole lines without decoding a byte of them.
 *
 * Used by the import command. Holds one batch and what the streams read ahead; never the file.
 */
import { FileBytes, type InputBytes } from './input-bytes.js';
import type { LineSource } from './line-source.js';

/** What a sample may take. */
const SAMPLE_BYTES_MAX = 64 * 1024 * 1024;
const NEWLINE = 10;
const CARRIAGE_RETURN = 13;

/** Whole lines, each one document; blank ones are left out. */
export interface DocumentBatch {
  readonly body: Buffer;
  readonly documents: number;
  /** Line number in the file, from 1, of each run of lines: `runs[i].documents` lines from `runs[i].line` on. */
  readonly runs: readonly { readonly line: number; readonly documents: number }[];
}

export interface BatchLimits {
  readonly documents: number;
  /** A batch ends after the line that reaches this. */
  readonly bytes: number;
}

/** A file of documents, or another input, that is being read. */
export class DocumentFile {
  readonly #input: InputBytes;
  /** null: they are lines already. */
  #makeLines: (() => LineSource) | null = null;

  /** Errors: those of the file system. */
  constructor(input: string | InputBytes) {
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

  /** The batches in the order of the file. Errors: those of the file system, of a damaged gzip file, and of the line source. */
  async *batches(limits: BatchLimits, chunks = this.#input.chunks()): AsyncGenerator<DocumentBatch> {
    const builder = new BatchBuilder(limits);
    for await (const chunk of this.#lines(chunks)) {
      builder.feed(chunk);
      for (let batch = builder.take(); batch !== null; batch = builder.take()) yield batch;
    }
    const last = builder.end();
    if (last !== null) yield last;
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
      for (const line of splitLines(batch.body)) {
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

  async *#lines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    if (this.#makeLines === null) {
      yield* chunks;
      return;
    }
    const lines = this.#makeLines();
    for await (const chunk of chunks) yield lines.feed(chunk);
    yield lines.end();
  }
}

/** The lines of `body`, without their line ends, blank ones left out. */
export function splitLines(body: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let start = 0; start < body.length; ) {
    const newline = body.indexOf(NEWLINE, start);
    const end = newline < 0 ? body.length : newline;
    const trimmed = end > start && body[end - 1] === CARRIAGE_RETURN ? end - 1 : end;
    if (trimmed > start) lines.push(body.subarray(start, trimmed));
    start = end + 1;
  }
  return lines;
}

/** Line number of document `index` of a batch. */
export function lineOfDocument(batch: DocumentBatch, index: number): number {
  let rest = index;
  for (const run of batch.runs) {
    if (rest < run.documents) return run.line + rest;
    rest -= run.documents;
  }
  return 0;
}

/** Collects byte ranges of the chunks it is fed; a line may span any number of chunks. */
export class BatchBuilder {
  readonly #limits: BatchLimits;
  #chunk: Buffer = Buffer.alloc(0);
  /** In the chunk: start of the range not yet taken, of the line being read, and of what was not yet looked at. */
  #rangeStart = 0;
  #lineStart = 0;
  #scan = 0;
  /** Bytes of the line being read in earlier chunks. */
  #carried = 0;
  /** The last byte of the chunk before. */
  #lastByte = 0;
  #line = 1;
  #parts: Buffer[] = [];
  #bytes = 0;
  #documents = 0;
  #runs: { line: number; documents: number }[] = [];
  #isFirst = true;

  constructor(limits: BatchLimits) {
    this.#limits = limits;
  }

  /** Adds the next bytes of the file. take() must have returned null before. */
  feed(chunk: Buffer): void {
    const skip = this.#isFirst && chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf ? 3 : 0;
    this.#isFirst = false;
    this.#chunk = skip === 0 ? chunk : chunk.subarray(skip);
    this.#rangeStart = 0;
    this.#lineStart = 0;
    this.#scan = 0;
  }

  /** The next full batch, or null when more bytes are needed. */
  take(): DocumentBatch | null {
    const chunk = this.#chunk;
    for (;;) {
      const newline = chunk.indexOf(NEWLINE, this.#scan);
      if (newline < 0) break;
      this.#endLine(newline);
      const bytes = this.#bytes + newline + 1 - this.#rangeStart;
      if (this.#documents >= this.#limits.documents || (this.#documents > 0 && bytes >= this.#limits.bytes)) {
        this.#closeRange(newline + 1);
        return this.#build();
      }
    }
    this.#carried += chunk.length - this.#lineStart;
    this.#lastByte = chunk[chunk.length - 1] ?? this.#lastByte;
    this.#closeRange(chunk.length);
    this.#chunk = chunk.subarray(chunk.length);
    this.#rangeStart = 0;
    this.#lineStart = 0;
    this.#scan = 0;
    return null;
  }

  /** What is left once everything was fed, or null. */
  end(): DocumentBatch | null {
    if (!this.#isBlank(this.#carried, this.#lastByte)) this.#countDocument();
    return this.#documents > 0 ? this.#build() : null;
  }

  #endLine(newline: number): void {
    const length = newline - this.#lineStart + this.#carried;
    const lastByte = newline > 0 ? this.#chunk[newline - 1] : this.#lastByte;
    if (!this.#isBlank(length, lastByte)) {
      this.#countDocument();
    } else {
      // A carriage return that came with an earlier chunk stays: in front of a document it is white space.
      this.#closeRange(this.#lineStart);
      this.#rangeStart = newline + 1;
    }
    this.#line++;
    this.#lineStart = newline + 1;
    this.#scan = newline + 1;
    this.#carried = 0;
  }

  #isBlank(length: number, lastByte: number): boolean {
    return length === 0 || (length === 1 && lastByte === CARRIAGE_RETURN);
  }

  #countDocument(): void {
    const run = this.#runs.at(-1);
    if (run !== undefined && run.line + run.documents === this.#line) run.documents++;
    else this.#runs.push({ line: this.#line, documents: 1 });
    this.#documents++;
  }

  #closeRange(end: number): void {
    if (end > this.#rangeStart) {
      this.#parts.push(this.#chunk.subarray(this.#rangeStart, end));
      this.#bytes += end - this.#rangeStart;
    }
    this.#rangeStart = end;
  }

  #build(): DocumentBatch {
    const batch = { body: Buffer.concat(this.#parts, this.#bytes), documents: this.#documents, runs: this.#runs };
    this.#parts = [];
    this.#bytes = 0;
    this.#documents = 0;
    this.#runs = [];
    return batch;
  }
}
