/**
 * Turns CSV and TSV (RFC 4180) into JSON lines: the header names the fields, the schema says what their values are.
 *
 * A cell that does not look like its type goes as the string that it is, and the server says what is wrong with it. An empty cell is
 * absent, and so is an empty one of several values in a cell. Holds one record beside what it is fed.
 *
 * Texts are held as one character a byte (latin1) of their UTF-8, which is neither decoded nor encoded: all that means anything here
 * is ASCII.
 */
import { type ByteText, portableByteText } from './byte-text.js';
import type { FieldType } from './declared-field.js';
import { InputError } from './input-error.js';
import { type LineSource, NO_BYTES, withoutByteOrderMark } from './line-source.js';

/** A longer record is taken for one with a quote too many. */
const RECORD_BYTES_MAX = 16 * 1024 * 1024;
const COLUMNS_SHOWN = 12;
const EXCERPT_CHARS = 80;
export const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: what JSON escapes
const ESCAPED = /["\\\x00-\x1f]/;
export const INTEGER = /^-?(0|[1-9]\d*)$/;
/** Spaces around a value. No others: their bytes may be a part of another character. */
const SPACES = ' \t\r\n';
const BOOLEANS: ReadonlyMap<string, string> = new Map([
  ['true', 'true'],
  ['false', 'false'],
  ['1', 'true'],
  ['0', 'false'],
]);

export interface CsvOptions {
  readonly delimiter: string;
  /** The column that becomes the id; null: the documents get none here. */
  readonly idField: string | null;
  /** Of the fields that are declared. */
  readonly types: ReadonlyMap<string, FieldType>;
  /** Columns whose cells hold several values. */
  readonly arrays: ReadonlySet<string>;
  readonly arraySeparator: string;
  /** Node's, where it runs there. */
  readonly byteText?: ByteText;
}

/** `text` without the spaces at its ends. */
function trimmed(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && SPACES.includes(text.charAt(start))) start++;
  while (end > start && SPACES.includes(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

const asBytes = (text: string): string => portableByteText.toLatin1(new TextEncoder().encode(text));
const asText = (bytes: string): string =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(portableByteText.fromLatin1(bytes));

const isText = (bytes: string): boolean => portableByteText.isUtf8(portableByteText.fromLatin1(bytes));

/** What is said of `text`, some line of which, counted from `firstLine`, is no UTF-8. */
function notUtf8(text: string, firstLine: number): InputError {
  const lines = text.split('\n');
  const bad = lines.findIndex((line) => !isText(line));
  const got = JSON.stringify(asText(lines[bad] as string).slice(0, EXCERPT_CHARS));
  return new InputError(
    `line ${firstLine + bad}: expected UTF-8, got ${got}; convert the file, with iconv for example`,
  );
}

/** What is said of a cell without quotes that has one: in a file whose lines end so, all would be one line. */
const loneReturn = (line: number): InputError =>
  new InputError(
    `line ${line}: expected lines that end with LF or CR LF, got a CR alone; convert the file, or quote the cell`,
  );

/** How the cells of a column are written. */
interface Column {
  /** `"name":`, with its comma but for the first. */
  readonly key: string;
  readonly write: (cell: string) => string;
}

export class CsvLines implements LineSource {
  readonly #options: CsvOptions;
  readonly #byteText: ByteText;
  /** null: the header was not read yet. */
  #columns: readonly Column[] | null = null;
  #rest = '';
  /** The rest is looked at again when it is as long: a long record would else be read over and over. */
  #wanted = 0;
  #line = 1;
  #isFirst = true;

  constructor(options: CsvOptions) {
    this.#options = options;
    this.#byteText = options.byteText ?? portableByteText;
  }

  feed(chunk: Uint8Array): Uint8Array {
    this.#rest += this.#byteText.toLatin1(this.#isFirst ? withoutByteOrderMark(chunk) : chunk);
    this.#isFirst = false;
    return this.#rest.length < this.#wanted ? NO_BYTES : this.#read(false);
  }

  end(): Uint8Array {
    return this.#read(true);
  }

  #read(isLast: boolean): Uint8Array {
    const text = this.#rest;
    const lines: string[] = [];
    const firstLine = this.#line;
    let at = 0;
    let quote = text.indexOf('"');
    let carriageReturn = text.indexOf('\r');
    while (at < text.length) {
      const newline = text.indexOf('\n', at);
      if (quote >= 0 && quote < at) quote = text.indexOf('"', at);
      if (carriageReturn >= 0 && carriageReturn < at) carriageReturn = text.indexOf('\r', at);
      const isPlain = quote < 0 || (newline >= 0 && quote > newline);
      if (isPlain && newline < 0 && !isLast) break;
      const line = this.#line;
      if (isPlain) {
        const end = newline < 0 ? text.length : newline;
        const trimmed = end > at && text[end - 1] === '\r' ? end - 1 : end;
        if (carriageReturn >= 0 && carriageReturn < trimmed) throw loneReturn(line);
        if (trimmed > at) this.#take(text.slice(at, trimmed).split(this.#options.delimiter), line, lines);
        at = end + 1;
        this.#line++;
        continue;
      }
      const record = this.#quotedRecord(text, at, isLast);
      if (record === null) break;
      this.#take(record.cells, line, lines);
      at = record.end;
    }
    this.#rest = text.slice(at);
    this.#wanted = 2 * this.#rest.length;
    if (this.#rest.length > RECORD_BYTES_MAX) throw this.#tooLong();
    const documents = this.#byteText.fromLatin1(lines.join(''));
    if (this.#byteText.isUtf8(documents)) return documents;
    throw notUtf8(text, firstLine);
  }

  /** The record from `at` on, and where the next one begins; null: more is needed. */
  #quotedRecord(text: string, at: number, isLast: boolean): { readonly cells: string[]; readonly end: number } | null {
    const { delimiter } = this.#options;
    const cells: string[] = [];
    let lines = 0;
    for (let start = at; ; ) {
      let cell: string;
      let end: number;
      if (text[start] === '"') {
        let close = text.indexOf('"', start + 1);
        while (close >= 0 && text[close + 1] === '"') close = text.indexOf('"', close + 2);
        // The character behind decides whether it closes.
        if (close < 0 || (close + 1 === text.length && !isLast)) {
          if (!isLast) return null;
          throw new InputError(`line ${this.#line + lines}, column ${cells.length + 1}: its quote is never closed`);
        }
        cell = text.slice(start + 1, close).replaceAll('""', '"');
        for (let i = cell.indexOf('\n'); i >= 0; i = cell.indexOf('\n', i + 1)) lines++;
        end = close + 1;
        const isReturn = text[end] === '\r';
        if (end + (isReturn ? 1 : 0) === text.length && !isLast) return null;
        if (isReturn && (end + 1 === text.length || text[end + 1] === '\n')) end++;
        if (end < text.length && text[end] !== '\n' && text[end] !== delimiter) {
          const got = JSON.stringify(asText(text.slice(end, end + 12)));
          const where = `line ${this.#line + lines}, column ${cells.length + 1}`;
          throw new InputError(
            `${where}: expected ${JSON.stringify(delimiter)} or a line end behind the closing quote, got ${got}`,
          );
        }
      } else {
        const newline = text.indexOf('\n', start);
        const next = text.indexOf(delimiter, start);
        const stop = newline < 0 ? text.length : newline;
        end = next >= 0 && next < stop ? next : stop;
        if (end === text.length && !isLast) return null;
        cell = text.slice(start, end);
        if (end === stop && cell.endsWith('\r')) cell = cell.slice(0, -1);
        if (cell.includes('\r')) throw loneReturn(this.#line + lines);
      }
      cells.push(cell);
      if (end >= text.length || text[end] === '\n') {
        this.#line += lines + 1;
        return { cells, end: end + 1 };
      }
      start = end + 1;
    }
  }

  /** Appends the document of a record that began on `line`; of the first, takes the header. */
  #take(cells: readonly string[], line: number, lines: string[]): void {
    if (this.#columns === null) {
      this.#columns = this.#readHeader(cells);
      return;
    }
    const columns = this.#columns;
    if (cells.length !== columns.length) {
      const what = `line ${line}: expected ${columns.length} values, as the header has, got ${cells.length}`;
      throw new InputError(what);
    }
    let json = '';
    for (let i = 0; i < columns.length; i++) {
      const cell = cells[i] as string;
      if (cell === '') continue;
      const { key, write } = columns[i] as Column;
      json += `${json === '' ? '{' : ','}${key}${write(cell)}`;
    }
    lines.push(json === '' ? '{}\n' : `${json}}\n`);
  }

  #readHeader(cells: readonly string[]): Column[] {
    const { idField } = this.#options;
    const header = cells.join(this.#options.delimiter);
    if (!isText(header)) throw notUtf8(header, 1);
    const names = cells.map((name) => asText(name).trim());
    const listed = `${names.slice(0, COLUMNS_SHOWN).join(', ')}${names.length > COLUMNS_SHOWN ? ', ...' : ''}`;
    for (const [i, name] of names.entries()) {
      if (name === '')
        throw new InputError(`line 1: expected a name for each column, column ${i + 1} has none (${listed})`);
      if (names.indexOf(name) !== i) throw new InputError(`line 1: two columns are named "${name}"`);
    }
    if (idField !== null && !names.includes(idField))
      throw new InputError(`line 1: no column is named "${idField}" (${listed})`, '; give --id-field NAME');
    if (idField !== null && idField !== 'id' && names.includes('id'))
      throw new InputError(`line 1: there is a column "id" beside "${idField}", which is to be the id`);
    return names.map((name) => this.#column(name));
  }

  #column(name: string): Column {
    const { idField, types, arrays, arraySeparator } = this.#options;
    const writeValue = valueWriter(types.get(name));
    const separator = asBytes(arraySeparator);
    const write = arrays.has(name)
      ? (cell: string) =>
          `[${cell
            .split(separator)
            .map(trimmed)
            .filter((value) => value !== '')
            .map(writeValue)
            .join(',')}]`
      : writeValue;
    const key = `${asBytes(JSON.stringify(name))}:`;
    if (name !== idField) return { key, write };
    // Of another name, it stays what it is beside.
    if (name === 'id') return { key: '"id":', write: JSON.stringify };
    return { key: '"id":', write: (cell) => `${JSON.stringify(cell)},${key}${write(cell)}` };
  }

  #tooLong(): InputError {
    const mega = Math.round(RECORD_BYTES_MAX / 2 ** 20);
    return new InputError(
      `line ${this.#line}: a record of more than ${mega} MiB; is there a quote that is not closed, or another format?`,
    );
  }
}

/** How a cell of a field of `type` is written as JSON; of one that is not declared, as a string. */
function valueWriter(type: FieldType | undefined): (cell: string) => string {
  switch (type) {
    case 'int':
    case 'float':
      return (cell) => (NUMBER.test(cell) ? cell : JSON.stringify(cell));
    case 'date':
      return (cell) => (INTEGER.test(cell) ? cell : JSON.stringify(cell));
    case 'bool':
      return (cell) => BOOLEANS.get(cell.toLowerCase()) ?? JSON.stringify(cell);
    default:
      return quoted;
  }
}

/** Most texts need no escapes. */
const quoted = (cell: string): string => (ESCAPED.test(cell) ? JSON.stringify(cell) : `"${cell}"`);
