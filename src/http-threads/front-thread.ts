/**
 * A front thread: an HTTP thread beside the main one. Started by front-threads.ts.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { openQuickReader, type QuickReader, SharedCounter, SharedDeadline } from '../../engine/index.js';
import { Authenticator } from '../http/auth.js';
import { ClientAddresses } from '../http/client-address.js';
import { Compressor } from '../http/compressor.js';
import { ConnectionLimit } from '../http/connection-limit.js';
import { CorsPolicy } from '../http/cors.js';
import { HttpCounters } from '../http/http-counters.js';
import { QuietReads } from '../http/quiet-reads.js';
import { Router } from '../http/router.js';
import { UNCOUNTED_ANSWER_BYTES, UnsentBytes } from '../http/unsent-bytes.js';
import { createLogger } from '../log.js';
import type { ReadContext } from '../read-context.js';
import { DOCUMENT_TEMPLATE, fetchEndpoint } from '../routes/fetch.js';
import { SEARCH_TEMPLATE, searchEndpoint } from '../routes/search.js';
import { SearchTags } from '../routes/search-tags.js';
import { SlowSearchLog } from '../routes/slow-searches.js';
import { suggestRoutes } from '../routes/suggest.js';
import type { SpanRecord } from '../tracing/span-record.js';
import { Tracer } from '../tracing/tracer.js';
import { FrontServer } from './front-server.js';
import type { FromFront, FrontData, ToFront } from './messages.js';
import { QuickGate } from './quick-gate.js';
import { Tally } from './tally.js';

/** How often the main thread hears of what was answered, unless it asks, and updates are taken in while nobody reads. */
const TALLY_MS = 100;
/** Spans that are kept until then. */
const SPANS_MAX = 256;

const { config, maxConnections, processMark, logsToTerminal, openWord, refusedWord, leaseWords } =
  workerData as FrontData;
if (parentPort === null) throw new Error('a front thread is started by another');
const port = parentPort;
let spans: SpanRecord[] = [];
const postSpans = (): void => {
  if (spans.length > 0) port.postMessage({ kind: 'spans', spans } satisfies FromFront);
  spans = [];
};
const post = (message: FromFront): void => {
  if (message.kind === 'closed') postSpans();
  port.postMessage(message);
};
const logger = createLogger(config.logLevel, logsToTerminal);
const counters = new HttpCounters();
const tally = new Tally();
const gate = new QuickGate(leaseWords === null ? null : new SharedDeadline(leaseWords));
const { slowQueryMs, otlp } = config;
const keepSpans = (records: readonly SpanRecord[]): void => {
  spans.push(...records);
  if (spans.length >= SPANS_MAX) postSpans();
};
const tags = new SearchTags(processMark);
const slowSearches = slowQueryMs === 0 ? null : new SlowSearchLog(slowQueryMs * 1000, logger);
const context: ReadContext = { gate, analytics: tally, metrics: tally, slowSearches, tags };
const search = { template: SEARCH_TEMPLATE, endpoints: { GET: searchEndpoint(context) } };
const document = { template: DOCUMENT_TEMPLATE, endpoints: { GET: fetchEndpoint(context) } };
let reader: QuickReader | null = null;

// The library does not survive the end of its thread: the process ends, and the main thread says why.
process.on('uncaughtException', (error) => post({ kind: 'died', message: error.stack ?? error.message }));

const server = new FrontServer({
  ...{ gate, counters, logger, post, tls: config.tls, appliedSequence: null },
  tracer: otlp === null ? null : new Tracer(otlp.sampleRatio, keepSpans),
  router: new Router([search, ...suggestRoutes(context), document]),
  authenticator: new Authenticator(config.adminKey, config.searchKey, config.keyEpoch),
  cors: new CorsPolicy(config.corsOrigins),
  clients: new ClientAddresses(config.trustedProxies),
  connections: new ConnectionLimit(maxConnections, new SharedCounter(openWord), new SharedCounter(refusedWord)),
  compressor: new Compressor(config.compressMinBytes),
  unsent: new UnsentBytes({
    maxBytes: config.maxUnsentBytes,
    clientMaxBytes: config.maxClientUnsentBytes,
    rateMin: config.answerRateMin,
    graceMs: config.answerGraceMs,
  }),
});

function postTally(ticket: number): void {
  post({ kind: 'tally', ticket, ...tally.take(counters), totals: server.totals });
}

function renewCertificate(): void {
  const old = server.descriptor;
  try {
    post({ kind: 'renewed', old, app: server.renewCertificate() });
  } catch (error) {
    logger.error({ err: error }, 'an HTTP thread keeps the certificate that it has');
  }
}

port.on('message', (message: ToFront) => {
  if (message.kind === 'open') {
    reader = openQuickReader(message.seat, UNCOUNTED_ANSWER_BYTES);
    server.open(reader);
  } else if (message.kind === 'tally') postTally(message.ticket);
  else if (message.kind === 'renew') renewCertificate();
  else if (message.kind === 'drain') server.drain();
  else server.receive(message);
});

new QuietReads(
  () => counters.total,
  () => reader?.rest(),
).start();
setInterval(() => {
  reader?.idle();
  if (tally.size > 0) postTally(0);
  postSpans();
}, TALLY_MS);

post({ kind: 'loaded', app: server.descriptor });
