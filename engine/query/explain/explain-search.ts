/**
 * Writes the explanations that a search asks for, as JSON to be put into its response.
 *
 * Called by the searcher once all is collected and ranked, before the first byte of the response is written: how long the
 * response becomes is known only then.
 */
import { EngineError } from '../../core/errors.js';
import { EXPLANATION_BYTES_MAX } from '../../core/limits.js';
import type { Analyzer } from '../../text/analyzer.js';
import type { BonusFactors } from '../bonuses/bonuses.js';
import type { ReadBudget } from '../read-budget.js';
import { type AnsweredSearch, Explainer, type RankedDocument } from './explainer.js';
import { reportQuery } from './query-report.js';

/** What is asked for. */
export interface ExplanationWanted {
  /** Of each hit of the page. */
  readonly hits: boolean;
  /** Of the document with this id; null: of none. */
  readonly id: string | null;
}

/** The best documents in final order. */
export interface Ranking {
  readonly count: number;
  /** The page: ranks [first, end). */
  readonly first: number;
  readonly end: number;
  readonly segments: Uint32Array;
  readonly docs: Uint32Array;
  readonly scores: Float32Array;
  /** Of the document at a rank; null where it was not looked at for bonuses. */
  bonuses(rank: number): BonusFactors | null;
}

/** JSON as UTF-8. */
export interface Explanations {
  /** One a hit of the page; null: not asked for. */
  readonly hits: readonly Uint8Array[] | null;
  readonly query: Uint8Array;
  /** Of all together. */
  readonly bytes: number;
}

/** Explains `answer` as `wanted`. Errors: payload_too_large when that takes more than EXPLANATION_BYTES_MAX. */
export function explainSearch(
  wanted: ExplanationWanted,
  answer: AnsweredSearch,
  ranking: Ranking,
  analyzer: Analyzer,
  budget: ReadBudget,
): Explanations {
  const explainer = new Explainer(answer, analyzer, budget);
  let bytes = 0;
  const encode = (value: object): Uint8Array => {
    const json = Buffer.from(JSON.stringify(value));
    bytes += json.length;
    if (bytes > EXPLANATION_BYTES_MAX)
      throw new EngineError(
        'payload_too_large',
        `the explanation exceeds ${EXPLANATION_BYTES_MAX} bytes: ask for fewer hits`,
      );
    return json;
  };
  const report = reportQuery(answer, (clause) => explainer.words(clause), budget);
  const document = wanted.id === null ? undefined : explainer.document(wanted.id, rankIn(ranking));
  const query = encode({ ...report, document });
  if (!wanted.hits) return { hits: null, query, bytes };
  const hits: Uint8Array[] = [];
  for (let rank = ranking.first; rank < ranking.end; rank++) {
    const ranked = { score: ranking.scores[rank], bonuses: ranking.bonuses(rank) };
    hits.push(encode(explainer.hit(ranking.segments[rank], ranking.docs[rank], ranked)));
  }
  return { hits, query, bytes };
}

/** Finds a document among the ranked ones. */
function rankIn({ count, segments, docs, scores, bonuses }: Ranking) {
  return (index: number, doc: number): RankedDocument | null => {
    for (let rank = 0; rank < count; rank++)
      if (docs[rank] === doc && segments[rank] === index) return { rank, score: scores[rank], bonuses: bonuses(rank) };
    return null;
  };
}
