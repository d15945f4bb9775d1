/**
 * A process beside an overloaded server: asks for one thing after the other and notes how long each answer takes, from
 * when it was to be asked, so that a stalled server cannot hide behind questions that were not asked (coordinated omission).
 *
 * Started by overload.ts with an IPC channel: PORT EVERY_MS PATHS-JSON. On the message 'report' it sends what it has seen
 * since the last, and begins anew.
 */
import { connect, type Socket } from 'node:net';
import { build, type Histogram } from 'hdr-histogram-js';

/** An address of its own: a client that the server tells from those that overload it. */
const OWN_ADDRESS = '127.0.0.9';
const HEAD_END = '\r\n\r\n';

export interface ProbeReport {
  readonly asked: number;
  readonly answered: number;
  readonly failed: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

/** Asks on connections of its own, one question at a time on each: those that wait for no answer are used again. */
class Probe {
  readonly #port: number;
  readonly #request: Buffer;
  readonly #idle: Socket[] = [];
  #histogram: Histogram = newHistogram();
  #asked = 0;
  #failed = 0;

  constructor(port: number, path: string) {
    this.#port = port;
    this.#request = Buffer.from(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`);
  }

  ask(dueMs: number): void {
    this.#asked++;
    const socket = this.#idle.pop() ?? this.#open();
    let received: Buffer = Buffer.alloc(0);
    const end = (isAnswered: boolean): void => {
      socket.removeAllListeners('data').removeAllListeners('close');
      if (isAnswered) this.#histogram.recordValue(Math.max(1, (performance.now() - dueMs) * 1000));
      else this.#failed++;
    };
    socket.on('close', () => end(false));
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      const headEnd = received.indexOf(HEAD_END);
      if (headEnd < 0) return;
      const head = received.toString('latin1', 0, headEnd);
      const length = Number(/content-length: *(\d+)/i.exec(head)?.[1] ?? 0);
      if (received.length < headEnd + HEAD_END.length + length) return;
      end(head.startsWith('HTTP/1.1 200'));
      this.#keep(socket);
    });
    socket.write(this.#request);
  }

  report(): ProbeReport {
    const histogram = this.#histogram;
    const inMs = (us: number): number => us / 1000;
    const report = {
      asked: this.#asked,
      answered: histogram.totalCount,
      failed: this.#failed,
      p50Ms: inMs(histogram.getValueAtPercentile(50)),
      p99Ms: inMs(histogram.getValueAtPercentile(99)),
      maxMs: inMs(histogram.maxValue),
    };
    this.#histogram = newHistogram();
    this.#asked = 0;
    this.#failed = 0;
    return report;
  }

  #open(): Socket {
    const where = { port: this.#port, host: '127.0.0.1', localAddress: OWN_ADDRESS, noDelay: true };
    return connect(where).on('error', () => {});
  }

  #keep(socket: Socket): void {
    this.#idle.push(socket);
    socket.on('close', () => {
      const at = this.#idle.indexOf(socket);
      if (at >= 0) this.#idle.splice(at, 1);
    });
  }
}

const newHistogram = (): Histogram => build({ lowestDiscernibleValue: 1, highestTrackableValue: 120e6 });

const [port, everyMs, paths] = process.argv.slice(2) as [string, string, string];
const probes = new Map(
  Object.entries(JSON.parse(paths) as Record<string, string>).map(([name, path]) => [
    name,
    new Probe(Number(port), path),
  ]),
);
let dueMs = performance.now();
setInterval(() => {
  for (const nowMs = performance.now(); dueMs <= nowMs; dueMs += Number(everyMs))
    for (const probe of probes.values()) probe.ask(dueMs);
}, 1);
process.on('message', () => {
  process.send?.(Object.fromEntries([...probes].map(([name, probe]) => [name, probe.report()])));
});
process.on('disconnect', () => process.exit());
