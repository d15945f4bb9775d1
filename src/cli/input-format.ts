/**
 * Which form of documents an input has: what was asked for, what its name says, what it looks like. Those must agree.
 */
import { CommandError } from './api-client.js';
import { foreignFormat } from './foreign-format.js';
import { withoutByteOrderMark } from './line-source.js';

export const INPUT_FORMATS = ['ndjson', 'json', 'csv', 'tsv'] as const;

export type InputFormat = (typeof INPUT_FORMATS)[number];

const WORDS: Readonly<Record<InputFormat, string>> = {
  ndjson: 'JSON lines',
  json: 'a JSON array',
  csv: 'CSV',
  tsv: 'TSV',
};

/**
 * The format of the input `name`, which begins with `head`. `given`: as asked for, or null. Errors: CommandError, when it looks like
 * another one.
 */
export function decideFormat(name: string, head: Buffer, given: InputFormat | null): InputFormat {
  const foreign = foreignFormat(head);
  if (foreign !== null)
    throw new CommandError(`${name}: expected JSON, CSV or TSV in UTF-8, and this looks like ${foreign}`);
  const text = withoutByteOrderMark(head).toString('utf8');
  const looks = looksLike(text);
  const named = given ?? extensionFormat(name);
  if (looks === null) return named ?? 'ndjson';
  if (looks === 'ndjson' && firstLine(text).trim() === '{')
    throw new CommandError(
      `${name}: expected a document a line, or an array of documents; the object on line 1 does not end there`,
    );
  if (named === null) {
    if (looks === 'ndjson' || looks === 'json') return looks;
    throw new CommandError(`${name}: expected JSON, and this looks like ${WORDS[looks]} (give --format ${looks})`);
  }
  if (named === looks) return named;
  // By its name alone a file of JSON may be either, and delimiters may stand in either.
  if (given === null && isJson(named) && isJson(looks)) return looks;
  if (!isJson(named) && !isJson(looks) && DELIMITERS[named].test(firstLine(text))) return named;
  throw new CommandError(
    `${name}: expected ${WORDS[named]}, and this looks like ${WORDS[looks]} (give --format ${looks})`,
  );
}

/** What stands between the cells of a header. */
const DELIMITERS: Readonly<Record<'csv' | 'tsv', RegExp>> = { csv: /[,;]/, tsv: /\t/ };

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
export function delimiterOf(format: InputFormat, head: Buffer): string {
  if (format === 'tsv') return '\t';
  const line = firstLine(withoutByteOrderMark(head).toString('utf8'));
  return line.split(';').length > line.split(',').length ? ';' : ',';
}
