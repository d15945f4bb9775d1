/**
 * The table of a comparison of two runs, and beside it what may make it say less than it seems to.
 */
import type { ComparedMeasure, Comparison, ComparisonLimits } from './comparison.js';
import type { RunRecord } from './run-record.js';

/** Three digits that mean something, or all before the point. */
function showFigure(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en-US');
  return value.toPrecision(3);
}

const showRatio = (ratio: number): string => ratio.toFixed(3);

function showInterval({ low, high }: ComparedMeasure): string {
  return high === Number.POSITIVE_INFINITY ? 'none' : `${showRatio(low)} to ${showRatio(high)}`;
}

/** A Markdown table whose columns also stand below one another in a terminal; the first and the last to the left. */
function paddedTable(rows: readonly (readonly string[])[]): string {
  const [headings = []] = rows;
  const widths = headings.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const isLeft = (column: number): boolean => column === 0 || column === headings.length - 1;
  const pad = (cell: string, column: number): string =>
    isLeft(column) ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  const line = (cells: readonly string[]): string => `| ${cells.map(pad).join(' | ')} |`;
  const rule = widths.map((width, column) => (isLeft(column) ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  return [line(headings), line(rule), ...rows.slice(1).map(line)].join('\n');
}

function compareCircumstances(before: RunRecord, after: RunRecord): string[] {
  const notes: string[] = [];
  const differ = (what: string, old: unknown, now: unknown): void => {
    if (JSON.stringify(old) === JSON.stringify(now)) return;
    notes.push(`Not the same ${what}: ${JSON.stringify(old) ?? 'none'}, then ${JSON.stringify(now) ?? 'none'}.`);
  };
  differ('machine', before.machine, after.machine);
  differ('Node', before.node, after.node);
  const names = new Set([...Object.keys(before.options), ...Object.keys(after.options)]);
  for (const name of names) differ(`option ${name}`, before.options[name], after.options[name]);
  return notes;
}

const nameRun = ({ commit, changed, at }: RunRecord): string =>
  `${commit ?? 'unknown commit'}${changed ? ' and changes' : ''}, ${at}`;

const only = (when: string, names: readonly string[]): string[] =>
  names.length === 0 ? [] : [`Measured ${when} alone, or 0: ${names.join('; ')}.`];

/** What the reader of the table has to know. `inTurn`: both builds were measured in turn in one run. */
function notesOf(comparison: Comparison, { confidence, margin }: ComparisonLimits, inTurn: boolean): string[] {
  const { measures, machineRatio } = comparison;
  const percent = (share: number): string => `${Number((100 * share).toFixed(2))} %`;
  const beyond = `beyond ${percent(margin)} and beyond what the machine changed by`;
  const notes = [
    `Figures are medians of the rounds. Ratio: Hodges-Lehmann; interval: Mann-Whitney, inverted, exact, ${percent(confidence)} each.`,
    `Called a change: the interval lies ${beyond}, and misses 1 at ${percent(confidence)} for all ${measures.length} measures together.`,
    `The machine took ${showRatio(machineRatio)} x as long for a loop that no build changes.`,
  ];
  if (!inTurn)
    notes.push(
      'The runs were at different times: what changed about the machine in between, and the loop does not show, is in every ratio. ' +
        'Measure again before believing a small change; perf --against and perf:ratio measure two builds in turn.',
    );
  if (measures.some(({ verdict }) => verdict === 'too few rounds'))
    notes.push('Too few rounds for so many measures: 8 in both runs are enough for a hundred, and 4 for a single one.');
  return [...notes, ...only('before', comparison.onlyBefore), ...only('after', comparison.onlyAfter)];
}

/** The report of `comparison`, as Markdown. `inTurn`: both builds were measured in turn in one run. */
export function renderComparison(
  before: RunRecord,
  after: RunRecord,
  comparison: Comparison,
  limits: ComparisonLimits,
  inTurn: boolean,
): string {
  const headings = ['measure', 'unit', 'before', 'after', 'ratio', 'interval', 'verdict'];
  const rows = comparison.measures.map((row) => [
    row.name,
    row.unit,
    showFigure(row.before),
    showFigure(row.after),
    showRatio(row.ratio),
    showInterval(row),
    row.isWorse ? `**${row.verdict}**` : row.verdict,
  ]);
  const runs = [`Before: ${nameRun(before)}.`, `After: ${nameRun(after)}.`, ...compareCircumstances(before, after)];
  return [runs.join('\n'), paddedTable([headings, ...rows]), notesOf(comparison, limits, inTurn).join('\n')].join(
    '\n\n',
  );
}
