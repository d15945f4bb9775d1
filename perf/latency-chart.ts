/**
 * Draws docs/images/latency.svg from the table of the reddit corpus in docs/performance.md: median and 95th percentile of
 * each kind of query. `node --import tsx perf/latency-chart.ts` after a run of `npm run perf`; a test compares the two.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { argv } from 'node:process';
import { pathToFileURL } from 'node:url';
import { PROJECT_ROOT } from '../test/support/project.js';

export const FIGURES_FILE = join(PROJECT_ROOT, 'docs', 'performance.md');
export const CHART_FILE = join(PROJECT_ROOT, 'docs', 'images', 'latency.svg');

/** Milliseconds at both ends of the axis, which is logarithmic. */
const AXIS = [0.02, 20] as const;
const TICKS = [0.03, 0.1, 0.3, 1, 3, 10];
const WIDTH = 820;
const [LEFT, RIGHT] = [256, 690];
const [TOP, ROW] = [78, 26];

interface Latency {
  readonly name: string;
  /** Milliseconds, as they stand in the table. */
  readonly p50: string;
  readonly p95: string;
}

/** The rows of the table, without the two public query sets, which were written for other documents. */
function readLatencies(figures: string): Latency[] {
  const section = figures.slice(figures.indexOf('\n### reddit\n'));
  const rows: Latency[] = [];
  for (const line of section.split('\n')) {
    const [, name, , , p50, p95, , max] = line.split('|').map((cell) => cell.trim());
    if (max === undefined && rows.length > 0) break;
    if (Number(p50) > 0 && !name.endsWith(' queries')) rows.push({ name, p50, p95 });
  }
  if (rows.length === 0) throw new Error('docs/performance.md: expected the table of the reddit corpus');
  return rows;
}

/** What was measured where, in the words of the report. */
function readSource(figures: string): { readonly machine: string; readonly commit: string; readonly command: string } {
  const run = /perf: begin -->\s+Machine: (.+?), server and client.*? Commit (\w+), command `(npm run perf)/.exec(
    figures,
  );
  if (run === null) throw new Error('docs/performance.md: expected the machine, commit and command of the run');
  return { machine: run[1].replaceAll('(R)', ''), commit: run[2], command: run[3] };
}

const xOf = (ms: number): string =>
  (LEFT + ((RIGHT - LEFT) * Math.log(ms / AXIS[0])) / Math.log(AXIS[1] / AXIS[0])).toFixed(1);

const STYLE = `    .page { fill: #ffffff; stroke: #d0d7de; }
    .grid { stroke: #d0d7de; }
    .span { stroke: #8c959f; stroke-width: 4; stroke-linecap: round; }
    .p50 { fill: #0969da; }
    .p95 { fill: #bc4c00; }
    text { font: 13px system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; fill: #1f2328; }
    .name { font-weight: 600; font-size: 15px; }
    .soft { fill: #59636e; font-size: 12px; }
    .mid { text-anchor: middle; }
    .end { text-anchor: end; }
    @media (prefers-color-scheme: dark) {
      .page { fill: #0d1117; stroke: #3d444d; }
      .grid { stroke: #3d444d; }
      .span { stroke: #656c76; }
      .p50 { fill: #58a6ff; }
      .p95 { fill: #f0883e; }
      text { fill: #f0f6fc; }
      .soft { fill: #b1bac4; }
    }`;

function drawRow({ name, p50, p95 }: Latency, index: number): string {
  const y = TOP + ROW * (index + 0.5);
  const [from, to] = [xOf(Number(p50)), xOf(Number(p95))];
  return [
    `  <text class="end" x="${LEFT - 16}" y="${y + 4}">${name}</text>`,
    `  <line class="span" x1="${from}" x2="${to}" y1="${y}" y2="${y}"/>`,
    `  <circle class="p50" cx="${from}" cy="${y}" r="6"/><circle class="p95" cx="${to}" cy="${y}" r="6"/>`,
    `  <text class="soft" x="${RIGHT + 14}" y="${y + 4}">${p50} / ${p95} ms</text>`,
  ].join('\n');
}

/** The chart as SVG. `figures`: the text of docs/performance.md. Throws when the table is not there. */
export function drawLatencies(figures: string): string {
  const rows = readLatencies(figures);
  const { machine, commit, command } = readSource(figures);
  const bottom = TOP + ROW * rows.length;
  const height = bottom + 62;
  const ticks = TICKS.map((ms) => {
    const x = xOf(ms);
    const line = `<line class="grid" x1="${x}" x2="${x}" y1="${TOP}" y2="${bottom}"/>`;
    return `  ${line}<text class="soft mid" x="${x}" y="${bottom + 18}">${ms}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="title">
  <title id="title">Time in the server of each kind of query over 1.12 million documents, median and 95th percentile</title>
  <style>
${STYLE}
  </style>
  <rect class="page" x="0.5" y="0.5" width="${WIDTH - 1}" height="${height - 1}" rx="8"/>
  <text class="name" x="24" y="32">Time in the server, 1.12 million Reddit titles</text>
  <circle class="p50" cx="30" cy="52" r="6"/><text x="42" y="56">median</text>
  <circle class="p95" cx="110" cy="52" r="6"/><text x="122" y="56">95th percentile</text>
  <text class="soft" x="${RIGHT + 14}" y="56">p50 / p95</text>
${ticks.join('\n')}
  <text class="soft" x="${RIGHT + 14}" y="${bottom + 18}">ms, logarithmic</text>
${rows.map(drawRow).join('\n')}
  <text class="soft" x="24" y="${height - 14}">${machine}; ${command}, commit ${commit}</text>
</svg>
`;
}

if (import.meta.url === pathToFileURL(argv[1] ?? '').href)
  writeFileSync(CHART_FILE, drawLatencies(readFileSync(FIGURES_FILE, 'utf8')));
