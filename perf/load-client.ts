/**
 * The stand-in for wrk: keeps a number of connections busy with GET requests for some seconds, then prints its counts.
 *
 * Run as a process of its own: load-client.ts URL PATHS-FILE CONNECTIONS SECONDS. Speaks just the HTTP/1.1 that this
 * server answers: one response with Content-Length at a time.
 */
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';

const HEAD_END = '\r\n\r\n';
const CONTENT_LENGTH = /\r\ncontent-length: *(\d+)/i;

interface Counts {
  requests: number;
  errors: number;
}

/** Sends `requests` in turn on one connection until `isOver`. */
function keepBusy(
  url: URL,
  requests: readonly Buffer[],
  first: number,
  counts: Counts,
  isOver: () => boolean,
): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(Number(url.port), url.hostname);
    let next = first;
    let received: Buffer = Buffer.alloc(0);
    /** Bytes of the response that are still to come, or -1 before its head is complete. */
    let missing = -1;
    const ask = (): void => {
      missing = -1;
      received = Buffer.alloc(0);
      socket.write(requests[next++ % requests.length]);
    };
    const finish = (): void => {
      counts.requests++;
      if (isOver()) socket.end();
      else ask();
    };
    socket.setNoDelay(true);
    socket.on('connect', ask);
    socket.on('data', (chunk: Buffer) => {
      if (missing >= 0) {
        missing -= chunk.length;
        if (missing === 0) finish();
        return;
      }
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      const headEnd = received.indexOf(HEAD_END);
      if (headEnd < 0) return;
      const head = received.toString('latin1', 0, headEnd);
      if (!/^HTTP\/1\.1 [23]/.test(head)) counts.errors++;
      missing = headEnd + HEAD_END.length + Number(CONTENT_LENGTH.exec(head)?.[1] ?? 0) - received.length;
      if (missing === 0) finish();
    });
    socket.on('error', () => {
      counts.errors++;
    });
    socket.on('close', () => resolve());
  });
}

const [address, pathsFile, connections, seconds] = process.argv.slice(2);
const target = new URL(address);
const sent = readFileSync(pathsFile, 'utf8')
  .trim()
  .split('\n')
  .map((path) => Buffer.from(`GET ${path} HTTP/1.1\r\nHost: ${target.host}\r\n\r\n`));
const counted: Counts = { requests: 0, errors: 0 };
const startedMs = performance.now();
const isTimeUp = (): boolean => performance.now() - startedMs >= Number(seconds) * 1000;
const step = Math.ceil(sent.length / Number(connections));
await Promise.all(
  Array.from({ length: Number(connections) }, (_, index) => keepBusy(target, sent, index * step, counted, isTimeUp)),
);
const elapsedS = (performance.now() - startedMs) / 1000;
process.stdout.write(JSON.stringify({ ...counted, elapsedS }));
