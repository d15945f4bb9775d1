/**
 * Reads the parameters of highlighting: which fields, what stands around a match, how long a snippet is.
 *
 * Called once a search by parse-search.ts. Every complaint about them is worded here.
 */
import { EngineError } from '../../core/errors.js';
import { HIGHLIGHT_MARK_BYTES_MAX } from '../../core/limits.js';
import type { SearchRequest } from '../../core/requests.js';
import { type CollectionSchema, isSearchable } from '../../schema/collection-schema.js';

const OPEN = '<mark>';
const CLOSE = '</mark>';

export interface HighlightSpec {
  /** Schema indexes, in the order named; at least one. */
  readonly fields: readonly number[];
  /** UTF-8 of what stands before and after a match. */
  readonly open: Uint8Array;
  readonly close: Uint8Array;
  /** Tokens of a snippet; 0: the whole value. */
  readonly snippetTokens: number;
}

type HighlightParameters = Pick<SearchRequest, 'highlight' | 'highlightOpen' | 'highlightClose' | 'snippetTokens'>;

/**
 * What is to be highlighted; null when `highlight` is null or blank. Throws invalid_query: for a field that is blank,
 * unknown, not searched or named twice with the 0-based character position; for marks that are too long.
 */
export function parseHighlight(request: HighlightParameters, schema: CollectionSchema): HighlightSpec | null {
  const { highlight, snippetTokens } = request;
  if (highlight === null && request.highlightOpen === null && request.highlightClose === null) return null;
  const open = parseMark('highlight_open', request.highlightOpen, OPEN);
  const close = parseMark('highlight_close', request.highlightClose, CLOSE);
  if (highlight === null || highlight.trim() === '') return null;
  return { fields: parseFields(highlight, schema), open, close, snippetTokens };
}

function parseFields(text: string, schema: CollectionSchema): number[] {
  const fields: number[] = [];
  let position = 0;
  for (const part of text.split(',')) {
    const name = part.trim();
    const at = position + part.length - part.trimStart().length;
    const index = findSearchable(name, at, schema);
    if (fields.includes(index)) throw fault(`"${name}" is given twice`, at);
    fields.push(index);
    position += part.length + 1;
  }
  return fields;
}

function findSearchable(name: string, at: number, schema: CollectionSchema): number {
  const refusal = (got: string): EngineError => {
    const names = schema.fields.filter(isSearchable).map((field) => field.name);
    return fault(`expected an indexed text field (${names.join(', ')}), got ${got}`, at);
  };
  if (name === '') throw refusal('a blank name');
  const index = schema.fields.findIndex((field) => field.name === name);
  if (index < 0) throw refusal(`the unknown field "${name}"`);
  const { type } = schema.fields[index];
  if (type !== 'text') throw refusal(`"${name}" of type ${type}`);
  if (!isSearchable(schema.fields[index])) throw refusal(`"${name}" with "index": false`);
  return index;
}

function parseMark(parameter: string, given: string | null, byDefault: string): Uint8Array {
  const mark = Buffer.from(given ?? byDefault, 'utf8');
  if (mark.length <= HIGHLIGHT_MARK_BYTES_MAX) return mark;
  throw new EngineError(
    'invalid_query',
    `${parameter}: expected at most ${HIGHLIGHT_MARK_BYTES_MAX} bytes, got ${mark.length}`,
  );
}

function fault(what: string, position: number): EngineError {
  return new EngineError('invalid_query', `highlight: ${what} (at position ${position})`);
}
