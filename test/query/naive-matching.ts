/**
 * What a segment's documents match and score by a walk over plain lists, adding up in the order in which the engine adds.
 */
import { idf, makeImpactTable } from '../../engine/postings/impacts.js';
import { WEIGHTS } from '../../engine/query/expand/token-expansion.js';
import type { FieldMap } from '../../engine/query/field-map.js';
import { type BuiltPostings, type TokenModel, termText } from '../support/engine-postings.js';

export interface Range {
  readonly low: number;
  readonly high: number;
  readonly weight: number;
}

/** A phrase of terms, as indexes into the terms in order. */
export interface Phrase {
  readonly terms: readonly number[];
}

/** What one token stands for. */
export interface Token {
  readonly ranges: readonly Range[];
  readonly phrases: readonly Phrase[];
  /** How often it was typed. */
  readonly repeats: number;
}

export interface Setting {
  readonly model: TokenModel;
  readonly built: BuiltPostings;
  readonly maxDoc: number;
  readonly fields: { readonly indexes: readonly number[]; readonly boosts: readonly number[] };
}

const sum = (lengths: Uint32Array): number => lengths.reduce((total, length) => total + length, 0);

/** By field, by document: the best score of any posting in the ranges. */
type FieldScores = readonly ReadonlyMap<number, number>[];

function scoreToken(
  setting: Setting,
  map: FieldMap,
  ranges: readonly Range[],
  df: number,
  repeats: number,
): FieldScores {
  const { built, fields, maxDoc } = setting;
  const { reader } = built;
  const tokenIdf = idf(maxDoc, Math.min(df, maxDoc));
  return fields.indexes.map((field, place) => {
    const best = new Map<number, number>();
    const scale = Math.fround(map.scaleOf(place, tokenIdf * repeats));
    const holders = built.lengths[field].filter((length) => length > 0).length;
    const table = new Float32Array(256);
    makeImpactTable(holders === 0 ? 1 : sum(built.lengths[field]) / holders, table, 0);
    for (const { low, high, weight } of ranges) {
      for (let entry = low; entry < high; entry++) {
        if (reader.field(entry) !== field) continue;
        const docs = new Uint32Array(reader.df(entry));
        const impacts = new Uint8Array(docs.length);
        reader.readList(entry, docs, impacts, 0);
        const factor = Math.fround(Math.fround(WEIGHTS[weight]) * scale);
        for (let i = 0; i < docs.length; i++) {
          const score = Math.fround(factor * table[impacts[i]]);
          const known = best.get(docs[i]);
          if (known === undefined || score > known) best.set(docs[i], score);
        }
      }
    }
    return best;
  });
}

/** What one token, or part of one, gives a document: scores in the order of adding, or null when it does not match. */
export type Scorer = (doc: number) => readonly number[] | null;

const addUp = (scores: readonly number[]): number => scores.reduce((total, score) => Math.fround(total + score));

function scorerOf(fields: FieldScores): Scorer {
  return (doc) => {
    const scores = fields.flatMap((field) => field.get(doc) ?? []);
    return scores.length === 0 ? null : scores;
  };
}

/** The entries of a term, and the most documents of any of them. */
export function termRange({ reader }: BuiltPostings, term: number): { range: Range; df: number } {
  const range = { low: reader.firstEntry(term), high: reader.firstEntry(term + 1), weight: 0 };
  let df = 0;
  for (let entry = range.low; entry < range.high; entry++) df = Math.max(df, reader.df(entry));
  return { range, df };
}

function holdsPhrase({ model, fields }: Setting, doc: number, wanted: readonly string[]): boolean {
  return fields.indexes.some((field) => {
    const { terms, positions } = model[doc][field];
    const at = new Map(positions.map((position, i) => [position, termText(terms[i])]));
    return positions.some((position) => wanted.every((text, i) => at.get(position + i) === text));
  });
}

/** `df`: of the token that the phrase stands for. */
function phraseScorer(setting: Setting, map: FieldMap, { terms }: Phrase, df: number, repeats: number): Scorer {
  const tokens = terms.map((term) => termRange(setting.built, term));
  const idfs = [df, ...tokens.map((token) => token.df)].map((each) =>
    idf(setting.maxDoc, Math.min(each, setting.maxDoc)),
  );
  const [own, ...others] = idfs;
  const weight = df === 0 ? 0.8 : (0.8 * own) / others.reduce((total, each) => total + each);
  const byDf = [...tokens].sort((a, b) => a.df - b.df);
  const parts = byDf.map(({ range, df }) => scorerOf(scoreToken(setting, map, [range], df, repeats)));
  const texts = terms.map((term) => setting.built.terms[term]);
  return (doc) => {
    if (!holdsPhrase(setting, doc, texts)) return null;
    return [Math.fround(Math.fround(weight) * addUp(parts.flatMap((part) => part(doc) ?? [])))];
  };
}

/** The best of what the token stands for. */
export function tokenScorer(setting: Setting, map: FieldMap, token: Token, df: number): Scorer {
  const { ranges, phrases, repeats } = token;
  const terms = scorerOf(scoreToken(setting, map, ranges, df, repeats));
  if (phrases.length === 0) return terms;
  const all = [terms, ...phrases.map((phrase) => phraseScorer(setting, map, phrase, df, repeats))];
  return (doc) => {
    const scores = all.flatMap((scorer) => {
      const found = scorer(doc);
      return found === null ? [] : [addUp(found)];
    });
    return scores.length === 0 ? null : [Math.max(...scores)];
  };
}

/** Every match and its score, adding up in the order of tokens and fields. */
export function matchNaively(tokens: readonly Scorer[], maxDoc: number, matchAll: boolean): Map<number, number> {
  const matches = new Map<number, number>();
  for (let doc = 0; doc < maxDoc; doc++) {
    const scores = tokens.map((scorer) => scorer(doc));
    const holds = scores.map((score) => score !== null);
    if (matchAll ? holds.every(Boolean) : holds.some(Boolean))
      matches.set(doc, addUp(scores.flatMap((score) => score ?? [])));
  }
  return matches;
}
