/**
 * The front threads as the main thread sees them: starts them, answers what they hand on, gathers what they have counted, and
 * drains them.
 *
 * The library does not survive the end of a worker thread that it was used in, so none of them ever ends before the process.
 */
import type { Worker } from 'node:worker_threads';
import { type ReadSeat, SharedCounter, type SharedDeadline, spawnBeside } from '../../engine/index.js';
import type { Config } from '../config.js';
import type { RequestPort } from '../http/request-port.js';
import type { ResponsePort } from '../http/response-port.js';
import type { AppDescriptor } from '../http/uws.js';
import { newProcessMark } from '../routes/search-tags.js';
import type { SpanRecord } from '../tracing/span-record.js';
import type { FromFront, FrontData, FrontTotals, TallyMessage, ToFront } from './messages.js';
import { RelayReceiver } from './relay-receiver.js';

/** What the main thread does for front threads. */
export interface FrontHost {
  /** Answers a request. */
  handle(response: ResponsePort, request: RequestPort): void;
  /** Adds what a front thread has counted. */
  add(tally: TallyMessage): void;
  /** Exports spans of what a front thread has answered. */
  trace(spans: readonly SpanRecord[]): void;
  /** Gives connections to `renewed` in the place of `old`. */
  replace(old: AppDescriptor, renewed: AppDescriptor): void;
}

interface Front {
  readonly worker: Worker;
  readonly relay: RelayReceiver;
  /** What names its server; null: it has not loaded yet. */
  app: AppDescriptor | null;
  totals: FrontTotals;
  isClosed: boolean;
}

const NOTHING: FrontTotals = { inFlight: 0, unsentBytes: 0, unsentAnswers: 0 };

export class FrontThreads {
  /** Connections of all HTTP threads: that are open, that were refused. */
  readonly open = new SharedCounter();
  readonly refused = new SharedCounter();
  /** Of tags of searches, the same on each thread. */
  readonly processMark = newProcessMark();
  readonly #fail: (error: Error) => void;
  readonly #lease: SharedDeadline | null;
  readonly #fronts: Front[] = [];
  #host: FrontHost | null = null;
  #nextTicket = 1;
  /** Who waits for an answer of every thread, by ticket. */
  readonly #gathering = new Map<number, { missing: number; readonly done: () => void }>();
  #isDraining = false;
  #onClosed: () => void = () => {};

  /**
   * `fail` hears that a thread has died: the process must end. `lease`: until when a node of a cluster may answer; null: this is none.
   */
  constructor(fail: (error: Error) => void, lease: SharedDeadline | null) {
    this.#fail = fail;
    this.#lease = lease;
  }

  get totals(): FrontTotals {
    return this.#fronts.reduce(
      (sum, { totals }) => ({
        inFlight: sum.inFlight + totals.inFlight,
        unsentBytes: sum.unsentBytes + totals.unsentBytes,
        unsentAnswers: sum.unsentAnswers + totals.unsentAnswers,
      }),
      NOTHING,
    );
  }

  /** To be called before start(). */
  attach(host: FrontHost): void {
    this.#host = host;
  }

  /**
   * Starts `count` threads, in turn because each opens the files of its modules, and resolves with what names their servers. Once they are
   * to be drained no more are started.
   */
  async start(count: number, config: Config, maxConnections: number): Promise<AppDescriptor[]> {
    while (this.#fronts.length < count && !this.#isDraining) await this.#startOne(config, maxConnections);
    // Some may have renewed their certificates meanwhile.
    return this.#fronts.flatMap(({ app }) => (app === null ? [] : [app]));
  }

  /** Lets them answer reads: one seat each. */
  openSeats(seats: readonly ReadSeat[]): void {
    for (const [index, { worker }] of this.#fronts.entries())
      worker.postMessage({ kind: 'open', seat: seats[index] } satisfies ToFront, [seats[index].updates]);
  }

  /** Has each take the certificate that lies in the files now. */
  renewCertificates(): void {
    for (const { worker } of this.#fronts) worker.postMessage({ kind: 'renew' } satisfies ToFront);
  }

  /** Calls `done` once all that they have answered so far was added to the host's counts. */
  gather(done: () => void): void {
    const ticket = this.#nextTicket++;
    this.#gathering.set(ticket, { missing: this.#fronts.length, done });
    for (const { worker } of this.#fronts) worker.postMessage({ kind: 'tally', ticket } satisfies ToFront);
  }

  /** Resolves when each has answered every request and dropped its connections, or after `timeoutMs`. */
  async drain(timeoutMs: number): Promise<void> {
    this.#isDraining = true;
    if (this.#fronts.length === 0) return;
    for (const { worker } of this.#fronts) worker.postMessage({ kind: 'drain' } satisfies ToFront);
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, timeoutMs);
      this.#onClosed = () => {
        if (this.#fronts.some(({ isClosed }) => !isClosed)) return;
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Gives up what they have handed on. */
  close(): void {
    for (const { relay } of this.#fronts) relay.close();
  }

  #startOne(config: Config, maxConnections: number): Promise<void> {
    const workerData: FrontData = {
      ...{
        config,
        maxConnections,
        processMark: this.processMark,
        openWord: this.open.word,
        refusedWord: this.refused.word,
        leaseWords: this.#lease?.words ?? null,
      },
      logsToTerminal: process.stdout.isTTY === true,
    };
    const worker = spawnBeside(import.meta.url, 'front-thread', { workerData });
    const relay = new RelayReceiver(
      (response, request) => this.#host?.handle(response, request),
      (message, transferList) => worker.postMessage(message, transferList),
    );
    const front: Front = { worker, relay, app: null, totals: NOTHING, isClosed: false };
    this.#fronts.push(front);
    return new Promise((resolve) => {
      worker.on('error', (error) => this.#fail(error));
      worker.on('exit', (code) => this.#fail(new Error(`an HTTP thread ended with code ${code}`)));
      worker.on('message', (message: FromFront) => {
        if (message.kind === 'loaded') {
          front.app = message.app;
          resolve();
        } else if (message.kind === 'renewed') {
          front.app = message.app;
          this.#host?.replace(message.old, message.app);
        } else if (message.kind === 'tally') this.#takeTally(front, message);
        else if (message.kind === 'spans') this.#host?.trace(message.spans);
        else if (message.kind === 'closed') {
          front.isClosed = true;
          this.#onClosed();
        } else if (message.kind === 'died') this.#fail(new Error(message.message));
        else relay.receive(message);
      });
    });
  }

  #takeTally(front: Front, tally: TallyMessage): void {
    front.totals = tally.totals;
    this.#host?.add(tally);
    const gathering = this.#gathering.get(tally.ticket);
    if (gathering === undefined) return;
    gathering.missing -= 1;
    if (gathering.missing > 0) return;
    this.#gathering.delete(tally.ticket);
    gathering.done();
  }
}
