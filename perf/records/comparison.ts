/**
 * Holds the measures of two runs against each other and says of each whether it changed. Called by record-options.ts.
 *
 * It must not call noise a change: the whole interval of the ratio has to lie beyond the margin, and beyond what the machine
 * itself differed by.
 */
import { type RatioInterval, ratioInterval } from './ratio-interval.js';
import { REFERENCE_NAME } from './reference-loop.js';
import { figureOf, type Measure, type RunRecord } from './run-record.js';

export type Verdict = 'faster' | 'slower' | 'smaller' | 'larger' | 'no change seen' | 'too few rounds';

export interface ComparisonLimits {
  /** Of the intervals, for example 0.95. */
  readonly confidence: number;
  /** The least change that is called one, for example 0.05. */
  readonly margin: number;
}

export interface ComparedMeasure extends RatioInterval {
  readonly name: string;
  readonly unit: string;
  readonly before: number;
  readonly after: number;
  readonly verdict: Verdict;
  /** It changed for the worse. */
  readonly isWorse: boolean;
}

export interface Comparison {
  readonly measures: readonly ComparedMeasure[];
  /** How many times as long the machine took after as before for what no build changes; 1 where one run did not time it. */
  readonly machineRatio: number;
  /** Names of measures that only one of the runs has. */
  readonly onlyBefore: readonly string[];
  readonly onlyAfter: readonly string[];
}

/** Bytes are the same on a slow machine. */
const isSpeed = ({ unit }: Measure): boolean => unit !== 'bytes';

/**
 * What the intervals say: `own` of the confidence asked for, `whole` so wide that the intervals of all measures together hold it
 * (Bonferroni): of a table of forty, two would else be called by chance alone. `own` has to lie beyond the margin, `whole` beyond 1. `machineRatio`: by how much times grew for reasons that are not the build's; a change is only called when
 * it is one whether or not the measure follows the machine.
 */
function judge(
  measure: Measure,
  own: RatioInterval,
  whole: RatioInterval,
  margin: number,
  machineRatio: number,
): Verdict {
  if (whole.high === Number.POSITIVE_INFINITY) return 'too few rounds';
  const drift = isSpeed(measure) ? machineRatio : 1;
  const growth = measure.better === 'lower' ? drift : 1 / drift;
  const [most, least] = [Math.max(1, growth), Math.min(1, growth)];
  const isAbove = own.low > (1 + margin) * most && whole.low > most;
  const isBelow = own.high < least / (1 + margin) && whole.high < least;
  if (!isAbove && !isBelow) return 'no change seen';
  if (!isSpeed(measure)) return isAbove ? 'larger' : 'smaller';
  return isAbove === (measure.better === 'lower') ? 'slower' : 'faster';
}

/** What no ratio can be made of, as of a counter that stayed 0, is no figure to compare. */
const isComparable = ({ rounds }: Measure): boolean => rounds.every((figure) => figure > 0);

function compareMeasure(
  before: Measure,
  after: Measure,
  limits: ComparisonLimits,
  machineRatio: number,
  measures: number,
): ComparedMeasure {
  const interval = ratioInterval(before.rounds, after.rounds, limits.confidence);
  const whole = ratioInterval(before.rounds, after.rounds, 1 - (1 - limits.confidence) / measures);
  const verdict = judge(after, interval, whole, limits.margin, machineRatio);
  const isWorse = verdict === 'slower' || verdict === 'larger';
  const figures = { before: figureOf(before), after: figureOf(after) };
  return { name: after.name, unit: after.unit, ...figures, ...interval, verdict, isWorse };
}

/** Compares every measure that both runs have, in the order of the second. */
export function compareRecords(
  before: Pick<RunRecord, 'measures'>,
  after: Pick<RunRecord, 'measures'>,
  limits: ComparisonLimits,
): Comparison {
  const byName = new Map(before.measures.filter(isComparable).map((measure) => [measure.name, measure]));
  const comparable = after.measures.filter(isComparable);
  const namesAfter = new Set(comparable.map(({ name }) => name));
  const pairOf = (measure: Measure): readonly [Measure, Measure][] => {
    const old = byName.get(measure.name);
    return old === undefined || old.unit !== measure.unit ? [] : [[old, measure]];
  };
  const pairs = comparable.flatMap(pairOf);
  const reference = pairs.find(([, { name }]) => name === REFERENCE_NAME);
  const machineRatio =
    reference === undefined ? 1 : ratioInterval(reference[0].rounds, reference[1].rounds, limits.confidence).ratio;
  const judged = pairs.filter(([, { name }]) => name !== REFERENCE_NAME);
  const compared = new Set(pairs.map(([, { name }]) => name));
  return {
    measures: judged.map(([old, now]) => compareMeasure(old, now, limits, machineRatio, judged.length)),
    machineRatio,
    onlyBefore: [...byName.keys()].filter((name) => !compared.has(name)),
    onlyAfter: [...namesAfter].filter((name) => !compared.has(name)),
  };
}
