/**
 * Which of the best documents can be asked for, where bonuses order them again before the page is cut: worked out by
 * query/bonuses/page-bound.ts, gone by in kernels/score-top.ts, which need not keep the others.
 */
export interface PageBound {
  /** Documents up to the end of the page. */
  readonly page: number;
  /** Documents that score less than this share of the page's last one cannot be on the page, */
  readonly share: number;
  /** but with this share of it, */
  readonly wholeShare: number;
  /** if they score at least this. */
  readonly whole: number;
  /** Whether the list of the only token that was typed tells what bonuses its documents get, where it is all that is read. */
  readonly isJudged: boolean;
  /** Whether no document gets a bonus for a completion of that token. */
  readonly isCompletedJudged: boolean;
  /** Whether a term that is related to it may be another than a completion. */
  readonly hasRelated: boolean;
}
