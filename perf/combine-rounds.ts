/**
 * The rounds of one corpus together: as the figures that tables show, and as the measures that two runs are compared by.
 */
import { joinTimes, latencyRow, type MixTimes, percentile } from './measure-latency.js';
import type { LoadFigures, PreparedCorpus, RoundFigures } from './measure-round.js';
import type { ThroughputRow } from './measure-throughput.js';
import { medianOf } from './records/ratio-interval.js';
import { type Measure, measureOf } from './records/run-record.js';
import type { CorpusFigures } from './report.js';

/** What the rounds say of one part, which all have in the same order. */
const across = <T>(rounds: readonly (readonly T[])[]): T[][] =>
  (rounds[0] ?? []).map((_, index) => rounds.flatMap((round) => round.slice(index, index + 1)));

const mixRounds = (rounds: readonly RoundFigures[]): MixTimes[][] => across(rounds.map(({ mixes }) => mixes));
const rateRounds = (rounds: readonly RoundFigures[]): ThroughputRow[][] =>
  across(rounds.map(({ throughputs }) => throughputs));

function combineRates(rates: readonly ThroughputRow[]): ThroughputRow[] {
  return rates.slice(0, 1).map((row) => ({
    ...row,
    requestsPerSecond: medianOf(rates.map(({ requestsPerSecond }) => requestsPerSecond)),
    errors: rates.reduce((sum, { errors }) => sum + errors, 0),
  }));
}

/** Medians of the rounds, but the largest peak and all errors; percentiles are of the queries of all rounds. */
export function combineRounds(
  { name, documents, postings }: PreparedCorpus,
  rounds: readonly RoundFigures[],
): CorpusFigures {
  const at = (scalar: keyof LoadFigures): number => medianOf(rounds.map((round) => round[scalar]));
  return {
    corpus: name,
    documents,
    postings,
    importSeconds: at('importSeconds'),
    importProcessorSeconds: at('importProcessorSeconds'),
    segments: at('segments'),
    rssAfterImport: at('rssAfterImport'),
    anonymousAfterImport: at('anonymousAfterImport'),
    rssAfterQueries: at('rssAfterQueries'),
    anonymousAfterQueries: at('anonymousAfterQueries'),
    anonymousAtRest: at('anonymousAtRest'),
    rssPeak: Math.max(...rounds.map(({ rssPeak }) => rssPeak)),
    arenaBytes: at('arenaBytes'),
    walBytes: at('walBytes'),
    restartSeconds: at('restartSeconds'),
    latencies: mixRounds(rounds).map(latencyRow),
    throughputs: rateRounds(rounds).flatMap(combineRates),
  };
}

/** Median and 95th percentile of each mix, round by round, with all samples behind both. */
function latencyMeasures(corpus: string, rounds: readonly MixTimes[]): Measure[] {
  const samples = joinTimes(rounds.map(({ serverMs }) => serverMs));
  const sorted = rounds.map(({ serverMs }) => serverMs.toSorted());
  return [0.5, 0.95].map((share) => {
    const name = `${corpus}: ${rounds[0]?.name ?? ''}, p${100 * share}`;
    const figures = sorted.map((times) => percentile(times, share));
    return measureOf(name, 'ms', 'lower', figures, samples);
  });
}

/** The measures of the rounds of one corpus, each named after it. */
export function measuresOf({ name, documents }: PreparedCorpus, rounds: readonly RoundFigures[]): Measure[] {
  const scalar = (what: string, unit: string, of: (round: RoundFigures) => number): Measure =>
    measureOf(`${name}: ${what}`, unit, 'lower', rounds.map(of));
  const rates = rateRounds(rounds).map((rows) => {
    const [{ name: mix, connections } = { name: '', connections: 0 }] = rows;
    const figures = rows.map(({ requestsPerSecond }) => requestsPerSecond);
    return measureOf(`${name}: ${mix}, ${connections} connections`, 'requests/s', 'higher', figures);
  });
  const imports = rounds.map(({ importSeconds }) => documents / importSeconds);
  return [
    measureOf(`${name}: import`, 'documents/s', 'higher', imports),
    ...mixRounds(rounds).flatMap((times) => latencyMeasures(name, times)),
    ...rates,
    scalar('resident memory after the import', 'bytes', ({ rssAfterImport }) => rssAfterImport),
    scalar('resident memory after the queries', 'bytes', ({ rssAfterQueries }) => rssAfterQueries),
    scalar('arena', 'bytes', ({ arenaBytes }) => arenaBytes),
    scalar('restart', 's', ({ restartSeconds }) => restartSeconds),
  ];
}
