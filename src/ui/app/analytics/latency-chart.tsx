/**
 * Latency percentiles over time, drawn by uPlot. Its figures are also in the tiles above it, for those who do not see it.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { formatMs } from '../parts/format.js';
import type { LatencyPoint } from './latency-log.js';

const HEIGHT = 240;
/** Seconds between the times that are written below. */
const TIME_STEPS = [1, 2, 5, 10, 30, 60, 300, 600, 1800, 3600, 4 * 3600];
const LINES = [
  ['p50', 'p50_ms', '--good', []],
  ['p95', 'p95_ms', '--accent', []],
  ['p99', 'p99_ms', '--danger', [5, 3]],
] as const;

const colour = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

const asTime = (seconds: number | undefined): string =>
  seconds === undefined ? '' : new Date(seconds * 1000).toLocaleTimeString('en-GB');
const asMs = (ms: number | null | undefined): string => (typeof ms === 'number' ? formatMs(ms) : '');

function optionsFor(width: number): UPlot.Options {
  const axis = { stroke: colour('--muted'), grid: { stroke: colour('--line'), width: 1 }, ticks: { show: false } };
  return {
    width,
    height: HEIGHT,
    // 12:05:30, as everywhere on the page.
    tzDate: (seconds) => new Date(seconds * 1000),
    axes: [
      {
        ...axis,
        values: (_, splits) => splits.map(asTime),
        space: 90,
        incrs: TIME_STEPS,
      },
      { ...axis, values: (_, splits) => splits.map((ms) => `${+ms.toPrecision(3)} ms`), size: 70 },
    ],
    scales: { y: { range: (_, __, max) => [0, (Number.isFinite(max) ? max : 1) * 1.15 || 1] } },
    series: [
      { value: (plot, at) => asTime(at ?? plot.data[0].at(-1)), label: 'at' },
      ...LINES.map(([label, , stroke, dash]) => ({
        label,
        stroke: colour(stroke),
        dash: [...dash],
        width: 2,
        // Where nothing is pointed at, the last one.
        value: (plot: UPlot, ms: number | null, line: number) => asMs(ms ?? plot.data[line]?.at(-1)),
      })),
    ],
  };
}

const dataOf = (points: readonly LatencyPoint[]): UPlot.AlignedData => [
  points.map(({ at }) => at),
  ...LINES.map(([, key]) => points.map(({ latency }) => latency[key])),
];

/** The chart of `points`. */
export function LatencyChart({ points }: { readonly points: readonly LatencyPoint[] }) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot | null>(null);
  const [isDark, setIsDark] = useState(() => matchMedia('(prefers-color-scheme: dark)').matches);
  useEffect(() => {
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    const onScheme = (): void => setIsDark(scheme.matches);
    scheme.addEventListener('change', onScheme);
    return () => scheme.removeEventListener('change', onScheme);
  }, []);
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const drawn = new UPlot(optionsFor(element.clientWidth), dataOf(points), element);
    plot.current = drawn;
    const watch = new ResizeObserver(() => drawn.setSize({ width: element.clientWidth, height: HEIGHT }));
    watch.observe(element);
    return () => {
      watch.disconnect();
      drawn.destroy();
      plot.current = null;
    };
  }, [isDark]);
  useEffect(() => plot.current?.setData(dataOf(points)), [points]);
  return <div ref={place} class="chart" role="img" aria-label="Latency percentiles over time" />;
}
