/**
 * Examples of what the server tells of itself. Answers are those of a real server: a test sends each
 * request and finds them again, but for times, versions and counters.
 */
import type { Examples } from './example.js';

export const SERVER_EXAMPLES: Examples = {
  snapshot: {
    answer: {
      snapshot: 1,
      sequence: 42,
      collections: 1,
      segments: 1,
      files_written: 2,
      bytes_written: 4028,
      took_ms: 34,
    },
  },
  topQueries: {
    parameters: { collection: 'products' },
    answer: {
      queries: [
        {
          query: 'mouse',
          collection: 'products',
          count: 1,
          zero_result_count: 0,
          last_result_count: 1,
          avg_latency_ms: 0.214,
          last_seen: 1767225600000,
        },
      ],
      tracked_queries: 1,
      dropped_queries: 0,
    },
  },
  zeroResultQueries: {
    parameters: { collection: 'products' },
    answer: {
      queries: [
        {
          query: 'typewriter',
          collection: 'products',
          count: 1,
          zero_result_count: 1,
          last_result_count: 0,
          avg_latency_ms: 0.214,
          last_seen: 1767225600000,
        },
      ],
      tracked_queries: 1,
      dropped_queries: 0,
    },
  },
  latency: {
    answer: {
      count: 7,
      mean_ms: 0.312,
      p50_ms: 0.214,
      p95_ms: 0.708,
      p99_ms: 1.1,
      max_ms: 1.742,
      total_searches: 7,
      uptime_seconds: 12,
      queries_per_second: 0.58,
    },
  },
  metrics: {
    answer:
      '# HELP sabre_uptime_seconds Seconds since the server started.\n# TYPE sabre_uptime_seconds gauge\nsabre_uptime_seconds 12\n# HELP sabre_search_requests_total Searches handed to the engine.\n# TYPE sabre_search_requests_total counter\nsabre_search_requests_total 7\n',
  },
  health: { answer: { ok: true, version: '0.1.0', uptime_seconds: 12, num_collections: 1 } },
  ready: { answer: { ready: true } },
  index: { answer: { name: 'sabre', version: '0.1.0', docs: '/docs', openapi: '/openapi.json' } },
};
