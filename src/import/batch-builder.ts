/**
 * Cuts JSON lines into batches of whole lines without decoding a byte of them. Used wherever documents are imported.
 *
 * Holds one batch, and no line that is too long; never the file.
 */
import { isBlank, joinBytes, LINE_BYTES_MAX, NO_BYTES, tooLong, withoutByteOrderMark } from './line-source.js';

const NEWLINE = 10;

/** What a line was in the file: a line there too, or an element of an array or a row of a table, by its number. */
export type LineUnit = 'line' | 'record';

/** Whole lines, each one document; those that are blank, to the server too, are left out. */
export interface DocumentBatch {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly documents: number;
  /** Line number in the file, from 1, of each run of lines: `runs[i].documents` lines from `runs[i].line` on. */
  readonly runs: readonly { readonly line: number; readonly documents: number }[];
}

export interface BatchLimits {
  readonly documents: number;
  /** A batch ends before the line that would take it past this; of one line it may be more. */
  readonly bytes: number;
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
  readonly #unit: LineUnit;
  #chunk: Uint8Array = NO_BYTES;
  /** In the chunk: start of the range not yet taken, of the line being read, and of what was not yet looked at. */
  #rangeStart = 0;
  #lineStart = 0;
  #scan = 0;
  /** Of the line being read, in earlier chunks: its bytes, whether they were nothing but white space, and what is kept of them. */
  #carried = 0;
  #isBlankSoFar = true;
  #lineParts: Uint8Array[] = [];
  #lineBytes = 0;
  #line = 1;
  #parts: Uint8Array[] = [];
  #bytes = 0;
  #documents = 0;
  #runs: { line: number; documents: number }[] = [];
  #isFirst = true;

  constructor(limits: BatchLimits, unit: LineUnit) {
    this.#limits = limits;
    this.#unit = unit;
  }

  /** Adds the next bytes of the file. take() must have returned null before. */
  feed(chunk: Uint8Array): void {
    this.#chunk = this.#isFirst ? withoutByteOrderMark(chunk) : chunk;
    this.#isFirst = false;
    this.#rangeStart = 0;
    this.#lineStart = 0;
    this.#scan = 0;
  }

  /** The next full batch, or null when more bytes are needed. Errors: InputError for a line that is too long. */
  take(): DocumentBatch | null {
    const chunk = this.#chunk;
    for (;;) {
      const newline = chunk.indexOf(NEWLINE, this.#scan);
      if (newline < 0) break;
      if (this.#isFullBefore(newline + 1)) {
        // The line is looked at again by the next call.
        this.#closeRange(this.#lineStart);
        return this.#build();
      }
      this.#endLine(newline);
      const bytes = this.#bytes + newline + 1 - this.#rangeStart;
      if (this.#documents >= this.#limits.documents || (this.#documents > 0 && bytes >= this.#limits.bytes)) {
        this.#closeRange(newline + 1);
        return this.#build();
      }
    }
    this.#carried += chunk.length - this.#lineStart;
    this.#checkLength(this.#carried);
    this.#isBlankSoFar &&= isBlank(chunk, this.#lineStart, chunk.length);
    this.#closeRange(this.#lineStart);
    // White space is not kept: it is nothing in front of a document, and no document alone.
    if (!this.#isBlankSoFar) {
      this.#lineParts.push(chunk.subarray(this.#lineStart));
      this.#lineBytes += chunk.length - this.#lineStart;
    }
    this.#chunk = chunk.subarray(chunk.length);
    this.#rangeStart = 0;
    this.#lineStart = 0;
    this.#scan = 0;
    return null;
  }

  /** The next batch of what is left once everything was fed, or null. */
  end(): DocumentBatch | null {
    if (!this.#isBlankSoFar && !this.#isFullBefore(0)) {
      this.#countDocument();
      this.#isBlankSoFar = true;
    }
    return this.#documents > 0 ? this.#build() : null;
  }

  /** Whether the batch must end before the line being read, which ends at `end` of the chunk. */
  #isFullBefore(end: number): boolean {
    const bytes = this.#bytes + this.#lineBytes + end - this.#rangeStart;
    return this.#documents > 0 && bytes > this.#limits.bytes;
  }

  #endLine(newline: number): void {
    this.#checkLength(this.#carried + newline - this.#lineStart);
    if (!this.#isBlankSoFar || !isBlank(this.#chunk, this.#lineStart, newline)) {
      this.#countDocument();
    } else {
      this.#closeRange(this.#lineStart);
      this.#rangeStart = newline + 1;
    }
    this.#line++;
    this.#lineStart = newline + 1;
    this.#scan = newline + 1;
    this.#carried = 0;
    this.#isBlankSoFar = true;
  }

  #checkLength(bytes: number): void {
    if (bytes > LINE_BYTES_MAX) throw tooLong(`${this.#unit} ${this.#line}`);
  }

  /** Takes the line being read into the batch, but for what the chunk holds of it. */
  #countDocument(): void {
    if (this.#lineBytes > 0) {
      for (const part of this.#lineParts) this.#parts.push(part);
      this.#bytes += this.#lineBytes;
      this.#lineParts = [];
      this.#lineBytes = 0;
    }
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
    const batch = { body: joinBytes(this.#parts), documents: this.#documents, runs: this.#runs };
    this.#parts = [];
    this.#bytes = 0;
    this.#documents = 0;
    this.#runs = [];
    return batch;
  }
}
