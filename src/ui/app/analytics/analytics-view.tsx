/**
 * The view "Analytics": how quick searches are, what is asked most, and what finds nothing. Asked for every few seconds while it
 * is open. Loaded, with uPlot, when it is first opened.
 */
import type { QueryEntry } from '../../../client/client.js';
import { ErrorNote } from '../parts/error-note.js';
import { formatCount, formatMs } from '../parts/format.js';
import '../parts/tables.css';
import { go } from '../route.js';
import { useSession } from '../session.js';
import type { ViewProps } from '../view-entry.js';
import './analytics.css';
import { usePoll } from '../parts/use-poll.js';
import { LatencyChart } from './latency-chart.js';
import { keepPoint, keptPoints, type LatencyPoint } from './latency-log.js';
import { QueryTable } from './query-table.js';

const EVERY_MS = 5000;
const LISTED = 20;

interface Snapshot {
  readonly top: readonly QueryEntry[];
  readonly zero: readonly QueryEntry[];
  readonly points: readonly LatencyPoint[];
}

function duration(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  if (minutes < 1) return `${Math.floor(seconds)} s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 1) return `${minutes} min`;
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} days`;
}

function Tile({ label, value }: { readonly label: string; readonly value: string }) {
  return (
    <div class="tile card">
      <dt>{label}</dt>
      <dd class="number">{value}</dd>
    </div>
  );
}

/** The tiles, from the beginning on: what comes later must not move what is there. */
function Tiles({ points }: { readonly points: readonly LatencyPoint[] }) {
  const last = points.at(-1);
  const latency = last?.latency;
  const rate = last?.rate ?? null;
  const ms = (value: number | undefined): string =>
    value === undefined || latency?.total_searches === 0 ? '–' : formatMs(value);
  return (
    <dl class="tiles">
      <Tile label="Searches" value={latency === undefined ? '–' : formatCount(latency.total_searches)} />
      <Tile label="A second, now" value={rate === null ? '–' : rate < 10 ? rate.toFixed(1) : formatCount(rate)} />
      <Tile label="Median (p50)" value={ms(latency?.p50_ms)} />
      <Tile label="p95" value={ms(latency?.p95_ms)} />
      <Tile label="p99" value={ms(latency?.p99_ms)} />
      <Tile label="Longest" value={ms(latency?.max_ms)} />
      <Tile label="Server runs for" value={latency === undefined ? '–' : duration(latency.uptime_seconds)} />
    </dl>
  );
}

/** The view. Which collection's queries are listed is in the URL, `of`; none: all. */
export function AnalyticsView({ route }: ViewProps) {
  const { client, collections } = useSession();
  const of = route.params.get('of') ?? '';
  const { value, error } = usePoll<Snapshot>(
    async (signal) => {
      // What fails is asked for again with the next tick.
      const options = { signal, retries: 0 };
      const asked = { ...options, collection: of || undefined, limit: LISTED };
      const [top, zero, latency] = await Promise.all([
        client.topQueries(asked),
        client.zeroResultQueries(asked),
        client.latency(options),
      ]);
      return { top: top.queries, zero: zero.queries, points: keepPoint(Date.now() / 1000, latency) };
    },
    [client, of],
    EVERY_MS,
  );
  const points = value?.points ?? keptPoints();
  const where = of === '' ? '' : ` in ${of}`;
  return (
    <div class="analytics">
      <h1>Analytics</h1>
      <ErrorNote error={error} />
      <Tiles points={points} />
      <section class="card" aria-labelledby="latency-title">
        <h2 id="latency-title">Latency</h2>
        <p class="muted">
          Percentiles of all searches since the server started, as they were every {EVERY_MS / 1000} seconds while this
          view was open.
        </p>
        <LatencyChart points={points} />
      </section>
      <label class="of">
        <span>Queries of</span>
        <select
          value={of}
          onChange={(event) =>
            go({
              view: 'analytics',
              collection: route.collection,
              params: new Map([['of', event.currentTarget.value]]),
            })
          }
        >
          <option value="">all collections</option>
          {(collections ?? []).map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {value !== null && (
        <div class="query-lists">
          <QueryTable
            title="Asked most"
            queries={value.top}
            counted="count"
            empty={`Nothing was searched yet${where}. Queries are counted since the server started.`}
          />
          <QueryTable
            title="Without results"
            queries={value.zero}
            counted="zero_result_count"
            empty={`Every query has found something so far${where}.`}
          />
        </div>
      )}
    </div>
  );
}
