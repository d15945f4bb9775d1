/**
 * What the log says of how a query was read: an explanation without the terms of the index, bounded in length. Pure. Called by
 * slow-searches.ts.
 */
import type { QueryExplanation } from '../../engine/index.js';

type Part = QueryExplanation['parts'][number];

/** Words of the query that are shown. */
const PARTS_MAX = 16;

/** A word or a phrase of the query, and how many terms of each kind stand for it. */
export interface LoggedPart {
  readonly kind: Part['kind'];
  readonly text: string;
  readonly known?: boolean;
  readonly completed?: boolean;
  /** Documents with the most frequent form of it. */
  readonly documents?: number;
  /** Terms by how they stand for it: typed, completion, correction_1 (of one edit), stem, ... */
  readonly expansions?: Readonly<Record<string, number>>;
  /** Phrases that stand for it. */
  readonly phrases?: number;
}

export interface LoggedReading {
  readonly match_mode: string;
  readonly ranking: string;
  /** The stage that answered; null: the query has no text. */
  readonly stage: number | null;
  readonly stages: readonly { readonly stage: number; readonly found: number | null }[];
  /** Terms that all words stand for, added up. */
  readonly expanded_terms: number;
  readonly parts: readonly LoggedPart[];
  readonly more_parts: number;
  readonly dropped: number;
  readonly excluded: number;
  readonly fields: number;
  readonly documents: number;
}

function expansionsOf(terms: NonNullable<Part['terms']>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind, edits, count } of terms) {
    const name = edits > 0 ? `${kind}_${edits}` : kind;
    counts[name] = (counts[name] ?? 0) + count;
  }
  return counts;
}

const partOf = ({ kind, text, known, completed, documents, terms, phrases }: Part): LoggedPart => ({
  kind,
  text,
  ...(known === undefined ? {} : { known }),
  ...(completed === undefined ? {} : { completed }),
  ...(documents === undefined ? {} : { documents }),
  ...(terms === undefined ? {} : { expansions: expansionsOf(terms) }),
  ...(phrases === undefined || phrases.length === 0 ? {} : { phrases: phrases.length }),
});

/** Returns what the log says of `explanation`. */
export function readingOf(explanation: QueryExplanation): LoggedReading {
  const { match_mode, ranking, stages, parts, dropped, excluded, fields, documents } = explanation;
  const counts = parts.flatMap(({ terms = [] }) => terms.map(({ count }) => count));
  return {
    match_mode,
    ranking,
    stage: stages.find(({ answered }) => answered)?.stage ?? null,
    stages: stages.map(({ stage, found }) => ({ stage, found })),
    expanded_terms: counts.reduce((sum, count) => sum + count, 0),
    parts: parts.slice(0, PARTS_MAX).map(partOf),
    more_parts: Math.max(0, parts.length - PARTS_MAX),
    dropped: dropped.length,
    excluded: excluded.length,
    fields: fields.length,
    documents,
  };
}
