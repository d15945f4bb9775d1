/**
 * Recomputes what the terms of a document score, as the kernels do: in 32-bit floats, and within a field the best of the
 * terms that a token stands for.
 *
 * Made per explained document. It shares nothing with the kernels but the tables, so that tests can hold the two against
 * each other to the last bit.
 */
import { idf, impactClass } from '../../postings/impacts.js';
import type { SearchableSegment } from '../../segment/searchable-segment.js';
import type { OrdRange } from '../../terms/term-dictionary.js';
import type { QueryToken } from '../../text/query-tokens.js';
import type { EntryRanges } from '../expand/segment-ranges.js';
import { WEIGHTS } from '../expand/token-expansion.js';
import type { FieldMap } from '../field-map.js';
import type { QueriedFields } from '../parse-search.js';
import { type DocumentTerm, firstTermFrom, termText } from './document-terms.js';
import type { FieldScore, TermScore } from './explanation.js';
import { composed } from './query-words.js';
import { shortFloat } from './short-float.js';
import { kindOf, type TokenWords } from './term-kinds.js';

/** Terms shown of a field: a short prefix begins many of a long text. */
const TERMS_SHOWN_MAX = 5;

/** A token as it is matched in the document's segment. */
export interface ScoredToken {
  readonly words: TokenWords;
  readonly ranges: EntryRanges;
  readonly df: number;
  /** What its scores are multiplied by. */
  readonly factor: number;
}

/** A field's part of a score: as a 32-bit float, and as it is shown. */
export interface ScoredField {
  readonly score: number;
  readonly shown: FieldScore;
}

/** What is scored: one document in its segment. */
export interface ScoredDocument {
  readonly segment: SearchableSegment;
  /** Index of the segment. */
  readonly index: number;
  readonly doc: number;
  /** By entry, ascending. */
  readonly terms: readonly DocumentTerm[];
  readonly map: FieldMap;
  readonly fields: QueriedFields;
  /** Of the fields of the schema. */
  readonly names: readonly string[];
}

const prefixRange: OrdRange = { low: 0, high: 0 };

/** The inverse document frequency that makeTokenPlan gives a token of document frequency `df`. */
export const idfOf = (df: number, map: FieldMap): number => idf(map.documents, Math.min(df, map.documents));

/** A term that a token stands for, and its score as a 32-bit float. */
interface ScoredTerm {
  readonly term: DocumentTerm;
  readonly impact: number;
  /** Index into WEIGHTS. */
  readonly weight: number;
  readonly score: number;
}

/** The parts that `token` adds to the score of `document`, in the order of fields; none when it does not hold it. */
export function scoreToken(token: ScoredToken, document: ScoredDocument): ScoredField[] {
  const { map, fields, segment, doc } = document;
  const { dictionary, postings } = segment.reader;
  const byPlace = fields.indexes.map((): ScoredTerm[] => []);
  const tokenIdf = idfOf(token.df, map);
  for (const [term, weight] of findTerms(token, document)) {
    const { place, entry } = term;
    const impact = postings.impactOf(entry, doc);
    if (impact === 0) continue;
    const scale = Math.fround(map.scaleOf(place, tokenIdf * token.factor));
    const weighed = Math.fround(Math.fround(WEIGHTS[weight]) * scale);
    byPlace[place].push({ term, impact, weight, score: Math.fround(weighed * map.tfPart(place, impact)) });
  }
  return byPlace.flatMap((terms, place) => {
    if (terms.length === 0) return [];
    terms.sort((a, b) => b.score - a.score || WEIGHTS[b.weight] - WEIGHTS[a.weight]);
    const { score } = terms[0];
    const shown = {
      field: document.names[fields.indexes[place]],
      boost: fields.boosts[place],
      score: shortFloat(score),
      terms: terms
        .slice(0, TERMS_SHOWN_MAX)
        .map((term) => showTerm(term, termText(dictionary, term.term.ord), token, map)),
      more_terms: Math.max(0, terms.length - TERMS_SHOWN_MAX),
    };
    return [{ score, shown }];
  });
}

function showTerm(
  { term, impact, weight, score }: ScoredTerm,
  text: string,
  { words }: ScoredToken,
  map: FieldMap,
): TermScore {
  return {
    term: composed(text),
    ...kindOf(text, words, weight),
    weight: WEIGHTS[weight],
    occurrences: term.positions.length,
    ...impactClass(impact),
    tf_part: shortFloat(map.tfPart(term.place, impact)),
    score: shortFloat(score),
  };
}

/** The terms of the document that `token` stands for, each with the index of its largest weight. */
function findTerms({ words, ranges }: ScoredToken, { segment, terms }: ScoredDocument): Map<DocumentTerm, number> {
  const { dictionary, postings } = segment.reader;
  const { bytes } = words;
  const found = new Map<DocumentTerm, number>();
  const take = (low: number, high: number, weight: number): void => {
    for (let i = firstTermFrom(terms, low); i < terms.length && terms[i].entry < high; i++) {
      const before = found.get(terms[i]);
      if (before === undefined || WEIGHTS[weight] > WEIGHTS[before]) found.set(terms[i], weight);
    }
  };
  for (let i = 0; i < ranges.length; i += 3) {
    if (ranges[i] < postings.entryCount) take(ranges[i], ranges[i + 1], ranges[i + 2]);
    else if (dictionary.findPrefix(bytes, 0, bytes.length, prefixRange))
      // Prefix postings: the union of the lists of all terms that begin so.
      take(postings.firstEntry(prefixRange.low), postings.firstEntry(prefixRange.high), ranges[i + 2]);
  }
  return found;
}

/** Whether the tokens stand next to each other, in this order, in one of the queried fields. */
export function holdsPhrase(tokens: readonly QueryToken[], { segment, terms, fields }: ScoredDocument): boolean {
  const { dictionary, postings } = segment.reader;
  const ords = tokens.map(({ bytes }) => dictionary.find(bytes, 0, bytes.length));
  if (ords.includes(-1)) return false;
  return fields.indexes.some((field) => {
    const [first, ...others] = ords.map((ord): readonly number[] => {
      const entry = postings.findEntry(ord, field);
      const term = terms[firstTermFrom(terms, entry)];
      return term?.entry === entry ? term.positions : [];
    });
    const sets = others.map((positions) => new Set(positions));
    return first.some((start) => sets.every((set, i) => set.has(start + 1 + i)));
  });
}
