/**
 * A chosen file as JSON lines, read as often as it is asked for and never held whole: unzipped by the browser, cut and typed by
 * the code of src/import that the import command uses as well.
 */
import { ArrayLines } from '../../../import/array-lines.js';
import { BatchBuilder, type BatchLimits, type DocumentBatch } from '../../../import/batch-builder.js';
import { CsvLines } from '../../../import/csv-lines.js';
import type { FieldType } from '../../../import/declared-field.js';
import { IdLines } from '../../../import/id-lines.js';
import { InputError } from '../../../import/input-error.js';
import { decideFormat, delimiterOf, type InputFormat } from '../../../import/input-format.js';
import type { LineSource } from '../../../import/line-source.js';

/** A file whose format is known. */
export interface FileInput {
  readonly file: File;
  readonly isGzip: boolean;
  readonly format: InputFormat;
  /** Between the cells of a table. */
  readonly delimiter: string;
}

/** Which ids the documents get: their own, those of another field, or their numbers. */
export type IdChoice = { readonly kind: 'field'; readonly name: string } | { readonly kind: 'number' };

export interface Reading {
  /** undefined: ids are left as they are. */
  readonly id?: IdChoice;
  /** Of the cells of a table. */
  readonly types: ReadonlyMap<string, FieldType>;
  readonly signal: AbortSignal;
  /** Told how many bytes of the file were read. */
  readonly onRead: (bytes: number) => void;
}

/** Browsers take what stands behind the first member for damage, and do not say which it is. */
const GZIP_FAILED = 'damaged gzip, or several gzip files in one, which "sabre import" reads: ';

export const isTable = ({ format }: FileInput): boolean => format === 'csv' || format === 'tsv';

async function* chunksOf(
  file: File,
  isGzip: boolean,
  signal: AbortSignal,
  onRead: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  let bytesRead = 0;
  const counted = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      bytesRead += chunk.length;
      onRead(bytesRead);
      controller.enqueue(chunk);
    },
  });
  const stream = file.stream().pipeThrough(counted);
  const reader = (isGzip ? stream.pipeThrough(new DecompressionStream('gzip')) : stream).getReader();
  try {
    for (;;) {
      signal.throwIfAborted();
      const { value, done } = await reader.read().catch((error: unknown) => {
        const what = error instanceof Error ? error.message : String(error);
        throw new InputError(`${file.name}: ${isGzip ? GZIP_FAILED : 'cannot be read: '}${what}`);
      });
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** Finds out what `file` is. Errors: InputError, when it is nothing that can be imported. */
export async function recogniseFile(file: File): Promise<FileInput> {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  const isGzip = first === 0x1f && second === 0x8b;
  for await (const head of chunksOf(file, isGzip, new AbortController().signal, () => {})) {
    const format = decideFormat(file.name, head, null);
    return { file, isGzip, format, delimiter: delimiterOf(format, head) };
  }
  throw new InputError(`${file.name} is empty`);
}

/** What makes lines of the file; null: it has lines. */
function lineSource(input: FileInput, { id, types }: Reading): LineSource | null {
  const field = id?.kind === 'field' ? id.name : null;
  if (isTable(input)) {
    const options = { types, delimiter: input.delimiter, arrays: new Set<string>(), arraySeparator: '|' };
    const table = new CsvLines({ ...options, idField: field });
    return id?.kind === 'number' ? new IdLines(null, table) : table;
  }
  const array = input.format === 'json' ? new ArrayLines() : null;
  if (id === undefined || field === 'id') return array;
  return new IdLines(field, array);
}

/** The documents of `input` as batches of lines. Errors: InputError; AbortError when the signal says so. */
export async function* batchesOf(
  input: FileInput,
  reading: Reading,
  limits: BatchLimits,
): AsyncGenerator<DocumentBatch> {
  const builder = new BatchBuilder(limits, input.format === 'ndjson' ? 'line' : 'record');
  const source = lineSource(input, reading);
  const chunks = chunksOf(input.file, input.isGzip, reading.signal, reading.onRead);
  for await (const chunk of chunks) {
    builder.feed(source === null ? chunk : source.feed(chunk));
    for (let batch = builder.take(); batch !== null; batch = builder.take()) yield batch;
  }
  if (source !== null) {
    builder.feed(source.end());
    for (let batch = builder.take(); batch !== null; batch = builder.take()) yield batch;
  }
  for (let batch = builder.end(); batch !== null; batch = builder.end()) yield batch;
}
