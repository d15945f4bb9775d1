/**
 * The measures of `npm run relevance`: how good one ranked list is, and whether two runs over the same queries differ by
 * more than chance.
 */
import { createRandom, randomBelow } from './random.js';

const RESAMPLES = 10_000;

/** What one query's documents are worth: document id to its grade, which is > 0. */
export type Judgements = ReadonlyMap<string, number>;

const discounted = (gain: number, index: number): number => gain / Math.log2(index + 2);

/**
 * Discounted cumulative gain of the first `depth` ids over that of the best order there is; 0..1. A document gains its grade,
 * as in trec_eval (Jarvelin & Kekalainen, "Cumulated gain-based evaluation of IR techniques", TOIS 2002).
 */
export function ndcgAt(ranking: readonly string[], judged: Judgements, depth: number): number {
  const sum = (gains: readonly number[]): number =>
    gains.slice(0, depth).reduce((total, gain, index) => total + discounted(gain, index), 0);
  const ideal = sum([...judged.values()].sort((a, b) => b - a));
  return ideal === 0 ? 0 : sum(ranking.map((id) => judged.get(id) ?? 0)) / ideal;
}

/** Share of the judged documents that are among the first `depth` ids. */
export function recallAt(ranking: readonly string[], judged: Judgements, depth: number): number {
  if (judged.size === 0) return 0;
  return ranking.slice(0, depth).filter((id) => judged.has(id)).length / judged.size;
}

/** 1 over the rank of the first judged document; 0 when there is none. Its mean over queries is the MRR. */
export function reciprocalRank(ranking: readonly string[], judged: Judgements): number {
  const index = ranking.findIndex((id) => judged.has(id));
  return index < 0 ? 0 : 1 / (index + 1);
}

export const meanOf = (values: readonly number[]): number =>
  values.length === 0 ? Number.NaN : values.reduce((sum, value) => sum + value, 0) / values.length;

/** The value below which `share` of the values lie, by nearest rank. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

export interface Difference {
  /** Mean of after - before. */
  readonly mean: number;
  /** 95 % of the resampled means lie from here ... */
  readonly low: number;
  /** ... to here. */
  readonly high: number;
  /** How often chance alone makes a difference at least as large, either way. */
  readonly p: number;
}

/**
 * Compares two runs query by query with a paired bootstrap: the percentile interval, and p by the shift method (Smucker,
 * Allan & Carterette, "A comparison of statistical significance tests for information retrieval evaluation", CIKM 2007).
 * The same input has the same answer. Throws when the runs differ in length.
 */
export function pairedBootstrap(before: readonly number[], after: readonly number[]): Difference {
  if (before.length !== after.length) {
    throw new Error(`expected two runs over the same queries, got ${before.length} and ${after.length} values`);
  }
  const differences = after.map((value, index) => value - before[index]);
  const mean = meanOf(differences);
  const random = createRandom(11);
  const means = Array.from({ length: RESAMPLES }, () => {
    let sum = 0;
    for (let i = 0; i < differences.length; i++) sum += differences[randomBelow(random, differences.length)];
    return sum / differences.length;
  });
  // Sums in another order differ in the last bits; they are no evidence.
  const slack = 1e-12;
  const asLarge = means.filter((value) => Math.abs(value - mean) >= Math.abs(mean) - slack).length;
  return {
    mean,
    low: quantile(means, 0.025),
    high: quantile(means, 0.975),
    p: (asLarge + 1) / (RESAMPLES + 1),
  };
}
