/**
 * The terms that share a query token's stem, in the queried fields that have stems: what token-expansion.ts adds to what the
 * token stands for. Looked up in each segment's stem index, never by walking a dictionary.
 */
import { TOKEN_BYTES_MAX } from '../../core/limits.js';
import type { CollectionSchema } from '../../schema/collection-schema.js';
import type { StemLanguage } from '../../schema/stem-languages.js';
import type { SearchableSegment } from '../../segment/searchable-segment.js';
import { stemmerOf } from '../../text/stemmer.js';
import type { ReadBudget } from '../read-budget.js';

/** Queried fields of one language. */
export interface StemmedFields {
  readonly language: StemLanguage;
  /** Indexes into the schema's fields. */
  readonly fields: readonly number[];
}

/** Terms of a segment that are looked at between two looks at the budget. */
const TERMS_BETWEEN_CHECKS = 256;

const termBytes = new Uint8Array(TOKEN_BYTES_MAX);

/** Those of the fields `indexes` that have stems, by language. */
export function findStemmedFields(indexes: readonly number[], schema: CollectionSchema): StemmedFields[] {
  const languages = new Map<StemLanguage, number[]>();
  for (const index of indexes) {
    const { stem } = schema.fields[index];
    if (stem === undefined) continue;
    const fields = languages.get(stem);
    if (fields === undefined) languages.set(stem, [index]);
    else fields.push(index);
  }
  return Array.from(languages, ([language, fields]) => ({ language, fields }));
}

/**
 * Calls `take` for every entry of a term that shares the stem of `token`, but for those of term `own[s]` of segment s, which
 * is the token. Returns the most live documents, over all segments, that hold any one of the terms in any one of the fields.
 */
export function takeStemEntries(
  token: Uint8Array,
  own: Int32Array,
  stemmed: readonly StemmedFields[],
  segments: readonly SearchableSegment[],
  budget: ReadBudget,
  take: (s: number, entry: number) => void,
): number {
  let largest = 0;
  for (const { language, fields } of stemmed) {
    const frequencies = new TermFrequencies(segments.length);
    const stem = stemmerOf(language).stem(token, 0, token.length).slice();
    const isOwnStem = hasOwnStem(stem, language);
    segments.forEach((segment, s) => {
      budget.check();
      const { postings } = segment.reader;
      const ords = findTerms(stem, isOwnStem, language, fields, segment);
      for (let i = 0; i < ords.length; i++) {
        if (i % TERMS_BETWEEN_CHECKS === TERMS_BETWEEN_CHECKS - 1) budget.check();
        if (ords[i] === own[s]) continue;
        for (const field of fields) {
          const entry = postings.findEntry(ords[i], field);
          if (entry < 0) continue;
          take(s, entry);
          frequencies.add(segment, ords[i], field, entry);
        }
      }
    });
    largest = Math.max(largest, frequencies.largest);
  }
  return largest;
}

/** Ordinals of the terms of `segment` with the stem `stem`, of which `isOwnStem` says that it is its own. */
function findTerms(
  stem: Uint8Array,
  isOwnStem: boolean,
  language: StemLanguage,
  fields: readonly number[],
  { reader }: SearchableSegment,
): number[] {
  const ords: number[] = [];
  if (isOwnStem) {
    const ord = reader.dictionary.find(stem, 0, stem.length);
    if (ord >= 0) ords.push(ord);
  }
  // Fields of a language share their index.
  reader.stems(fields[0])?.find(stem, stemmerOf(language), ords);
  return ords;
}

/** Whether the term `stem` is its own stem; the index does not hold such terms. */
function hasOwnStem(stem: Uint8Array, language: StemLanguage): boolean {
  if (stem.length === 0 || stem.length > TOKEN_BYTES_MAX) return false;
  return Buffer.compare(stem, stemmerOf(language).stem(stem, 0, stem.length)) === 0;
}

/** Live documents of each term in each field, summed over segments. */
class TermFrequencies {
  readonly #isOnlyOne: boolean;
  readonly #sums = new Map<string, number>();
  largest = 0;

  constructor(segmentCount: number) {
    this.#isOnlyOne = segmentCount === 1;
  }

  add(segment: SearchableSegment, ord: number, field: number, entry: number): void {
    let df = segment.df(entry);
    if (!this.#isOnlyOne) {
      const length = segment.reader.dictionary.readTerm(ord, termBytes);
      const key = `${field}:${Buffer.from(termBytes.buffer, 0, length).toString('latin1')}`;
      df += this.#sums.get(key) ?? 0;
      this.#sums.set(key, df);
    }
    this.largest = Math.max(this.largest, df);
  }
}
