/**
 * The terms of one document in the queried fields, found by analysing its stored text again: what an explanation looks
 * the tokens of a query up in. The other way round a completed token would name tens of thousands of lists to look into.
 *
 * Made per explained document. A document may be long, so terms are told by their ordinals and spelled only when shown.
 */
import { TOKEN_BYTES_MAX } from '../../core/limits.js';
import { POSITION_GAP } from '../../layout/postings.js';
import type { CollectionSchema } from '../../schema/collection-schema.js';
import type { SearchableSegment } from '../../segment/searchable-segment.js';
import type { TermDictionary } from '../../terms/term-dictionary.js';
import type { Analyzer, TokenSink } from '../../text/analyzer.js';
import type { ReadBudget } from '../read-budget.js';

/** Looking a token up takes longer than most steps of a loop. A power of two. */
const TOKENS_BETWEEN_CHECKS = 1 << 12;

/** A term of the document in one queried field. */
export interface DocumentTerm {
  /** Ordinal in the document's segment. */
  readonly ord: number;
  /** Of the field among the queried ones. */
  readonly place: number;
  /** Of the term and the field, in the document's segment. */
  readonly entry: number;
  /** Ascending; values of an array are POSITION_GAP apart. */
  readonly positions: readonly number[];
}

const encoder = new TextEncoder();
const termBytes = new Uint8Array(TOKEN_BYTES_MAX);

/** Gathers the tokens of one field, whose values are analysed one after another. */
class FieldSink implements TokenSink {
  /** Positions by ordinal. */
  readonly terms = new Map<number, number[]>();
  readonly #dictionary: TermDictionary;
  readonly #budget: ReadBudget;
  #base = 0;
  #count = 0;

  constructor(dictionary: TermDictionary, budget: ReadBudget) {
    this.#dictionary = dictionary;
    this.#budget = budget;
  }

  take(value: string, analyzer: Analyzer): void {
    const bytes = encoder.encode(value);
    const tokens = analyzer.analyze(bytes, 0, bytes.length, this);
    if (tokens > 0) this.#base += tokens + POSITION_GAP;
  }

  token(bytes: Uint8Array, start: number, end: number, position: number): void {
    if ((++this.#count & (TOKENS_BETWEEN_CHECKS - 1)) === 0) this.#budget.check();
    const ord = this.#dictionary.find(bytes, start, end);
    // It may have been indexed by another version of Unicode's tables, into other tokens.
    if (ord < 0) return;
    const positions = this.terms.get(ord);
    if (positions === undefined) this.terms.set(ord, [this.#base + position]);
    else positions.push(this.#base + position);
  }
}

/** The terms of document `doc` in `fields`, which are indexes into the schema's, in order of entry. */
export function readDocumentTerms(
  segment: SearchableSegment,
  doc: number,
  schema: CollectionSchema,
  fields: readonly number[],
  analyzer: Analyzer,
  budget: ReadBudget,
): DocumentTerm[] {
  const document = parseStored(segment, doc);
  const { dictionary, postings } = segment.reader;
  const found: DocumentTerm[] = [];
  for (const [place, field] of fields.entries()) {
    const sink = new FieldSink(dictionary, budget);
    const value = document[schema.fields[field].name];
    for (const each of Array.isArray(value) ? value : [value]) if (typeof each === 'string') sink.take(each, analyzer);
    for (const [ord, positions] of sink.terms) {
      const entry = postings.findEntry(ord, field);
      if (entry >= 0) found.push({ ord, place, entry, positions });
    }
    budget.check();
  }
  return found.sort((a, b) => a.entry - b.entry);
}

/** Term `ord` of `dictionary` as text. */
export function termText(dictionary: TermDictionary, ord: number): string {
  return Buffer.from(termBytes.buffer, 0, dictionary.readTerm(ord, termBytes)).toString('utf8');
}

function parseStored(segment: SearchableSegment, doc: number): Record<string, unknown> {
  const { bytes, start, end } = segment.document(doc);
  return JSON.parse(Buffer.from(bytes.slice(start, end).buffer).toString('utf8')) as Record<string, unknown>;
}

/** Index of the first of `terms`, ascending by entry, whose entry is at least `entry`. */
export function firstTermFrom(terms: readonly DocumentTerm[], entry: number): number {
  let low = 0;
  let high = terms.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (terms[middle].entry < entry) low = middle + 1;
    else high = middle;
  }
  return low;
}
