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
  readonly failed: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

/** Answers come in order on one connection; it is opened anew when the server closes it. */
class Probe {
  readonly #port: number;
  readonly #request: Buffer;
  #socket: Socket | null = null;
  /** When each question that waits for its answer was to be asked. */
  #waiting: number[] = [];
  #received: Buffer = Buffer.alloc(0);
  #histogram: Histogram = newHistogram();
  #asked = 0;
  #failed = 0;

  constructor(port: number, path: string) {
    this.#port = port;
    this.#request = Buffer.from(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`);
  }

  ask(dueMs: number): void {
    this.#asked++;
    this.#socket ??= this.#open();
    this.#waiting.push(dueMs);
    this.#socket.write(this.#request);
  }

  report(): ProbeReport {
    const histogram = this.#histogram;
    const ms = (us: number): number => us / 1000;
    const report = {
      asked: this.#asked,
      failed: this.#failed,
      p50Ms: ms(histogram.getValueAtPercentile(50)),
      p99Ms: ms(histogram.getValueAtPercentile(99)),
      maxMs: ms(histogram.maxValue),
    };
    this.#histogram = newHistogram();
    this.#asked = 0;
    this.#failed = 0;
    return report;
  }

  #open(): Socket {
    const socket = connect({ port: this.#port, host: '127.0.0.1', localAddress: OWN_ADDRESS, noDelay: true });
    const end = (): void => {
      if (this.#socket !== socket) return;
      this.#socket = null;
      this.#failed += this.#waiting.length;
      this.#waiting = [];
      this.#received = Buffer.alloc(0);
    };
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.on('error', end).on('close', end);
    return socket;
  }

  #receive(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    for (;;) {
      const headEnd = this.#received.indexOf(HEAD_END);
      if (headEnd < 0) return;
      const head = this.#received.toString('latin1', 0, headEnd);
      const length = Number(/content-length: *(\d+)/i.exec(head)?.[1] ?? 0);
      const end = headEnd + HEAD_END.length + length;
      if (this.#received.length < end) return;
      this.#received = this.#received.subarray(end);
      const dueMs = this.#waiting.shift() ?? performance.now();
      if (head.startsWith('HTTP/1.1 200')) this.#histogram.recordValue(Math.max(1, (performance.now() - dueMs) * 1000));
      else this.#failed++;
    }
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
