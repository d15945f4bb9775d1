/**
 * Queries and how often they were asked. Each leads to the search view, which asks it again.
 */
import type { QueryEntry } from '../../../client/client.js';
import { formatCount, formatMs, formatTime } from '../parts/format.js';
import { Scrolls } from '../parts/scrolls.js';
import { formatRoute } from '../route.js';

interface QueryTableProps {
  readonly title: string;
  readonly queries: readonly QueryEntry[];
  /** What is said where there are none. */
  readonly empty: string;
  /** Which of its counts a query is listed for. */
  readonly counted: 'count' | 'zero_result_count';
}

/** The table, with its title. */
export function QueryTable({ title, queries, empty, counted }: QueryTableProps) {
  return (
    <section class="queries" aria-labelledby={`queries-${counted}`}>
      <h2 id={`queries-${counted}`}>{title}</h2>
      {queries.length === 0 ? (
        <p class="card muted">{empty}</p>
      ) : (
        <Scrolls label={`Table: ${title}`}>
          <table class="grid">
            <thead>
              <tr>
                <th scope="col">Query</th>
                <th scope="col">Collection</th>
                <th scope="col" class="figure">
                  Times
                </th>
                {counted === 'count' && (
                  <th scope="col" class="figure">
                    Found last
                  </th>
                )}
                <th scope="col" class="figure">
                  Mean time
                </th>
                <th scope="col" class="figure">
                  Last asked
                </th>
              </tr>
            </thead>
            <tbody>
              {queries.map((entry) => (
                <tr key={`${entry.collection}\n${entry.query}`}>
                  <td>
                    <a
                      href={formatRoute({
                        view: 'search',
                        collection: entry.collection,
                        params: new Map([['q', entry.query]]),
                      })}
                    >
                      {entry.query}
                    </a>
                  </td>
                  <td>{entry.collection}</td>
                  <td class="figure">{formatCount(entry[counted])}</td>
                  {counted === 'count' && <td class="figure">{formatCount(entry.last_result_count)}</td>}
                  <td class="figure">{formatMs(entry.avg_latency_ms)}</td>
                  <td class="figure">{formatTime(entry.last_seen)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scrolls>
      )}
    </section>
  );
}
