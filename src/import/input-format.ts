/**
 * Which form of documents an input has: what was asked for, what its name says, what it looks like. Those must agree.
 */
import { foreignFormat } from './foreign-format.js';
import { InputError } from './input-error.js';
import { withoutByteOrderMark } from './line-source.js';

export const INPUT_FORMATS = ['ndjson', 'json', 'csv', 'tsv'] as const;

export type InputFormat = (typeof INPUT_FORMATS)[number];

export const FORMAT_WORDS: Readonly<Record<InputFormat, string>> = {
  ndjson: 'JSON lines',
  json: 'a JSON array',
  csv: 'CSV',
  tsv: 'TSV',
};

/**
 * The format of the input `name`, which begins with `head`. `given`: as asked for, or null. Errors: InputError, when it looks like
 * another one.
 */
export function decideFormat(name: string, head: Uint8Array, given: InputFormat | null): InputFormat {
  const foreign = foreignFormat(head);
  if (foreign !== null)
    throw new InputError(`${name}: expected JSON, CSV or TSV in UTF-8, and this looks like ${foreign}`);
  const text = textOf(head);
  const looks = looksLike(text);
  const named = given ?? extensionFormat(name);
  if (looks === null) return named ?? 'ndjson';
  if (looks === 'ndjson' && firstLine(text).trim() === '{')
    throw new InputError(
      `${name}: expected a document a line, or an array of documents; the object on line 1 does not end there`,
    );
  if (named === null) {
    if (looks === 'ndjson' || looks === 'json') return looks;
    throw new InputError(`${name}: expected JSON, and this looks like ${FORMAT_WORDS[looks]}`, formatHint(looks));
  }
  if (named === looks) return named;
  // By its name alone a file of JSON may be either, and delimiters may stand in either.
  if (given === null && isJson(named) && isJson(looks)) return looks;
  if (!isJson(named) && !isJson(looks) && DELIMITERS[named].test(firstLine(text))) return named;
  throw new InputError(
    `${name}: expected ${FORMAT_WORDS[named]}, and this looks like ${FORMAT_WORDS[looks]}`,
    formatHint(looks),
  );
}

/** What stands between the cells of a header. */
const DELIMITERS: Readonly<Record<'csv' | 'tsv', RegExp>> = { csv: /[,;]/, tsv: /\t/ };

const formatHint = (format: InputFormat): string => ` (give --format ${format})`;
const textOf = (head: Uint8Array): string => new TextDecoder().decode(withoutByteOrderMark(head));

const isJson = (format: InputFormat): format is 'ndjson' | 'json' => format === 'ndjson' || format === 'json';

function extensionFormat(name: string): InputFormat | null {
  const match = /\.(jsonl|ndjson|json|csv|tsv|tab)(\.gz)?$/i.exec(name);
  if (match === null) return null;
  const extension = (match[1] as string).toLowerCase();
  if (extension === 'json') return 'json';
  if (extension === 'csv') return 'csv';
  return extension === 'tsv' || extension === 'tab' ? 'tsv' : 'ndjson';
}

const firstLine = (text: string): string => text.trimStart().split('\n', 1)[0] ?? '';

/** null: like nothing that is known. */
function looksLike(text: string): InputFormat | null {
  const line = firstLine(text);
  if (line.startsWith('[')) return 'json';
  if (line.startsWith('{')) return 'ndjson';
  if (DELIMITERS.tsv.test(line)) return 'tsv';
  return DELIMITERS.csv.test(line) ? 'csv' : null;
}

/** The character between the cells of a CSV whose head is `head`: a comma, or a semicolon where the header has more of them. */
export function delimiterOf(format: InputFormat, head: Uint8Array): string {
  if (format === 'tsv') return '\t';
  const line = firstLine(textOf(head));
  return line.split(';').length > line.split(',').length ? ';' : ',';
}
