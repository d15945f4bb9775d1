/**
 * What the import command reads: opened, its format decided, and turned into JSON lines.
 */
import { ArrayLines } from '../import/array-lines.js';
import { CsvLines } from '../import/csv-lines.js';
import { IdLines } from '../import/id-lines.js';
import { InputError } from '../import/input-error.js';
import { decideFormat, delimiterOf, type InputFormat } from '../import/input-format.js';
import { guessTypes } from '../import/type-guess.js';
import { CommandError } from './api-client.js';
import { DocumentFile } from './document-batches.js';
import { FileBytes, headOf, type InputBytes, StreamBytes } from './input-bytes.js';
import { nodeByteText } from './node-byte-text.js';

/** How much of an input a schema is inferred from. */
const SAMPLE_DOCUMENTS = 1000;

export interface InputOptions {
  readonly format?: InputFormat;
  readonly idField?: string;
  readonly arrayFields?: readonly string[];
  readonly arraySeparator?: string;
}

type FieldTypes = ReturnType<typeof guessTypes>;

/** Documents to import. */
export class ImportInput {
  readonly file: DocumentFile;
  readonly name: string;
  readonly #csv: ((types: FieldTypes) => void) | null;

  private constructor(name: string, file: DocumentFile, csv: ((types: FieldTypes) => void) | null) {
    this.name = name;
    this.file = file;
    this.#csv = csv;
  }

  /** Opens `path`, `-` for standard input, until file.close(). Errors: CommandError. */
  static async open(path: string, options: InputOptions): Promise<ImportInput> {
    const name = path === '-' ? 'standard input' : path;
    let bytes: InputBytes | null = null;
    try {
      bytes = path === '-' ? new StreamBytes(process.stdin) : new FileBytes(path);
      const head = await headOf(bytes);
      const format = decideFormat(name, head, options.format ?? null);
      const file = new DocumentFile(bytes, format === 'ndjson' ? 'line' : 'record');
      const { idField = 'id', arrayFields = [], arraySeparator = '|' } = options;
      if (format === 'csv' || format === 'tsv') {
        const arrays = new Set(arrayFields);
        const shape = { delimiter: delimiterOf(format, head), idField, arrays, arraySeparator, byteText: nodeByteText };
        const csv = (types: FieldTypes): void => file.readBy(() => new CsvLines({ ...shape, types }));
        csv(new Map());
        return new ImportInput(name, file, csv);
      }
      if (arrayFields.length > 0) throw new CommandError(`${name}: --array-fields is for CSV and TSV, this is JSON`);
      const makeArray = format === 'json' ? (): ArrayLines => new ArrayLines() : null;
      if (idField !== 'id') file.readBy(() => new IdLines(idField, makeArray?.() ?? null));
      else if (makeArray !== null) file.readBy(makeArray);
      return new ImportInput(name, file, null);
    } catch (error) {
      bytes?.close();
      throw inputError(name, error);
    }
  }

  /** The values of CSV are of these types. */
  useTypes(types: FieldTypes): void {
    this.#csv?.(types);
  }

  /** Documents to infer a schema from; those of CSV have the types that their values look like. Errors: CommandError. */
  async sample(): Promise<string[]> {
    try {
      const strings = await this.file.sample(SAMPLE_DOCUMENTS);
      if (this.#csv === null) return strings;
      this.useTypes(guessTypes(strings));
      return await this.file.sample(SAMPLE_DOCUMENTS);
    } catch (error) {
      throw inputError(this.name, error);
    }
  }
}

/** `error`, met while `name` was read, as what is shown. */
export function inputError(name: string, error: unknown): CommandError {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof CommandError || error instanceof InputError)
    return new CommandError(message.startsWith(name) ? message : `${name}: ${message}`, { cause: error });
  return new CommandError(`cannot read ${name}: ${message}`, { cause: error });
}
