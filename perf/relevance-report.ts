/**
 * Turns what `npm run relevance` measured into Markdown tables, and compares it with a run that was stored before.
 */

import type { Measured } from './relevance-asking.js';
import { meanOf, pairedBootstrap, quantile } from './relevance-metrics.js';
import { count, table } from './report.js';

const TEXT_SHOWN = 110;

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
const settingOf = ({ setting }: Measured): string => (setting === '' ? '-' : setting);
const isJudged = ({ kind }: Measured): boolean => kind.startsWith('judged');
const zeros = ({ found }: Measured): number => found.filter((value) => value === 0).length;
/** A measure: success in percent, nDCG and the like as they are. */
const show = (name: string, value: number): string => (name.startsWith('success') ? percent(value) : value.toFixed(4));

function judgedTable(all: readonly Measured[]): string {
  const names = Object.keys(all[0].scores);
  const rows = all.map((row) => [
    row.corpus,
    row.kind,
    settingOf(row),
    ...names.map((name) => show(name, meanOf(row.scores[name]))),
    count(zeros(row)),
    count(row.refused),
  ]);
  return table(['corpus', 'queries', 'setting', ...names, 'nothing found', 'refused'], rows);
}

function knownTable(all: readonly Measured[]): string {
  const names = Object.keys(all[0].scores);
  const rows = all.map((row) => [
    row.kind,
    settingOf(row),
    ...names.map((name) => show(name, meanOf(row.scores[name]))),
    percent(zeros(row) / row.queries.length),
    count(quantile(row.found, 0.5)),
    count(quantile(row.found, 0.9)),
  ]);
  return table(['query', 'setting', ...names, 'nothing found', 'found p50', 'found p90'], rows);
}

/** All tables: the judged questions in one, the known items in one for each corpus. */
export function renderMeasured(all: readonly Measured[]): string {
  const parts: string[] = [];
  const judged = all.filter(isJudged);
  if (judged.length > 0) parts.push(judgedTable(judged));
  for (const corpus of new Set(all.map((row) => row.corpus))) {
    const known = all.filter((row) => row.corpus === corpus && !isJudged(row));
    if (known.length > 0) parts.push(`### ${corpus}: ${known[0].queries.length} known items`, knownTable(known));
  }
  return parts.join('\n\n');
}

/** The stored row to hold `row` against: the same setting, or no setting at all where that was not measured. */
function baseOf(row: Measured, stored: readonly Measured[]): Measured | undefined {
  const same = stored.filter(({ corpus, kind }) => corpus === row.corpus && kind === row.kind);
  return same.find(({ setting }) => setting === row.setting) ?? same.find(({ setting }) => setting === '');
}

/** A table of differences to the stored run. Throws when both asked other queries. */
export function renderComparison(all: readonly Measured[], stored: readonly Measured[]): string {
  const rows: string[][] = [];
  for (const row of all) {
    const base = baseOf(row, stored);
    if (base === undefined) continue;
    if (JSON.stringify(base.queries) !== JSON.stringify(row.queries)) {
      throw new Error(`${row.corpus}, ${row.kind}: the stored run asked other queries (another count, seed or corpus)`);
    }
    for (const [name, values] of Object.entries(row.scores)) {
      const before = base.scores[name];
      if (before === undefined) continue;
      const { mean, low, high, p } = pairedBootstrap(before, values);
      const signed = (value: number): string => `${value > 0 ? '+' : ''}${show(name, value)}`;
      rows.push([
        row.corpus,
        row.kind,
        settingOf(row),
        settingOf(base),
        name,
        show(name, meanOf(before)),
        show(name, meanOf(values)),
        signed(mean),
        `${signed(low)} .. ${signed(high)}`,
        p < 0.001 ? '< 0.001' : p.toFixed(3),
      ]);
    }
  }
  const headings = ['corpus', 'queries', 'setting', 'against', 'measure', 'before', 'after', 'difference', '95 %', 'p'];
  return table(headings, rows);
}

/** Up to `shown` queries a row that missed, with how many documents each found. */
export function renderMisses(all: readonly Measured[], shown: number): string {
  const parts: string[] = [];
  for (const row of all.filter((measured) => !isJudged(measured))) {
    const missed = row.queries.flatMap((_, index) => (row.scores['success@10'][index] === 0 ? [index] : []));
    if (missed.length === 0) continue;
    const lines = missed
      .slice(0, shown)
      .map((index) => `- item ${index}, ${count(row.found[index])} found: ${row.queries[index].slice(0, TEXT_SHOWN)}`);
    parts.push(`${row.corpus}, ${row.kind}, ${settingOf(row)}: ${missed.length} missed`, lines.join('\n'));
  }
  return parts.join('\n\n');
}
