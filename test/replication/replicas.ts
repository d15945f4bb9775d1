/**
 * Engines that follow one log, which is an array: what they propose gets a place in it, and what they are brought of it, and when, is the
 * test's to say.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { assertPresent } from '../../engine/core/assert.js';
import { type AppliedNote, type Delivery, type Engine, openEngine, type ReplicatedEngine } from '../../engine/index.js';
import { search } from '../format/golden-engine.js';
import { engineOptions } from '../support/engine-options.js';

const STREAM_ID = 'a-log';

interface Place {
  readonly life: object;
  readonly record: Uint8Array;
}

/** The log, from place 1 on. */
export class ArrayLog {
  readonly places: Place[] = [];

  get last(): number {
    return this.places.length;
  }

  deliveriesFrom(sequence: number, count: number, life: object): Delivery[] {
    return this.places.slice(sequence - 1, sequence - 1 + count).map((place, i) => ({
      sequence: sequence + i,
      isOwn: place.life === life,
      // As bytes that come from elsewhere: somewhere in a buffer.
      records: [new Uint8Array(Buffer.concat([Buffer.alloc(3), place.record])).subarray(3)],
      replayFrom: sequence + i + 1,
    }));
  }
}

/** One engine, in a folder of its own, and how far it was brought. */
export class Replica {
  readonly #log: ArrayLog;
  readonly #dataDir: string;
  #engine: Engine | null = null;
  #port: MessagePort | null = null;
  /** A new one each time it is opened. */
  #life = {};
  #delivered = 0;
  #appliedBytes = 0;

  constructor(log: ArrayLog) {
    this.#log = log;
    this.#dataDir = mkdtempSync(join(tmpdir(), 'sabre-replica-'));
  }

  get folder(): string {
    return this.#dataDir;
  }

  get engine(): Engine {
    return assertPresent(this.#engine, 'an open engine');
  }

  get replicated(): ReplicatedEngine {
    return assertPresent(this.engine.replicated, 'an engine that follows a log');
  }

  get delivered(): number {
    return this.#delivered;
  }

  /** Bytes of records that the writer has said it took in. */
  get appliedBytes(): number {
    return this.#appliedBytes;
  }

  async open(): Promise<void> {
    const { port1, port2: deliveries } = new MessageChannel();
    const life = {};
    this.#life = life;
    this.#port = port1;
    port1.on('message', ({ bytes }: AppliedNote) => {
      this.#appliedBytes = bytes;
    });
    const propose = (_number: number, record: Uint8Array): void => void this.#log.places.push({ life, record });
    const replication = { streamId: STREAM_ID, deliveries, propose, answerWithinMs: 60_000, admits: () => null };
    this.#engine = await openEngine({ ...engineOptions(this.#dataDir), memoryBytes: 2 ** 30, replication });
    this.#delivered = this.replicated.appliedSequence;
  }

  /** Brings the next `count` places of the log, as one message. */
  deliver(count: number): void {
    const deliveries = this.#log.deliveriesFrom(this.#delivered + 1, count, this.#life);
    assertPresent(this.#port, 'an open engine').postMessage({ deliveries });
    this.#delivered += deliveries.length;
  }

  /** Brings again what was brought before. */
  deliverAgain(count: number): void {
    const from = Math.max(1, this.#delivered + 1 - count);
    const deliveries = this.#log.deliveriesFrom(from, this.#delivered + 1 - from, this.#life);
    assertPresent(this.#port, 'an open engine').postMessage({ deliveries });
  }

  /** Resolves when whatever was brought is applied. */
  async caughtUp(): Promise<void> {
    while (this.replicated.appliedSequence < this.#delivered) await new Promise((resolve) => setTimeout(resolve, 1));
  }

  /** Closes; with a snapshot, or as if it was killed. */
  async close(withSnapshot: boolean): Promise<void> {
    await this.engine.close(withSnapshot ? 10_000 : 0);
    this.#port?.close();
    this.#engine = null;
  }

  async dispose(): Promise<void> {
    if (this.#engine !== null) await this.close(false);
    rmSync(this.#dataDir, { recursive: true, force: true });
  }
}

/** All that can be told of an engine, but for its segments, and for changes that were refused: those an engine tells until it starts again. */
export async function stateOf(engine: Engine): Promise<unknown> {
  const collections: unknown[] = [];
  for (const { num_segments: _, change, ...rest } of engine.listCollections()) {
    const view = change === undefined || change.state === 'refused' ? rest : { ...rest, change };
    const { name } = view;
    const ask = async (request: object): Promise<unknown> => {
      const { search_time_ms: __, ...answer } = await search(engine, { collection: name, ...request });
      return answer;
    };
    const synonyms = engine.textRules.listSynonyms(name);
    const stopWords = engine.textRules.getStopWords(name);
    // In order of insertion, in which ties are.
    const all = await ask({ q: '' });
    const found = await ask({ q: 'red shoe', matchMode: 'any', facet: 'title' });
    collections.push({ view, synonyms, stopWords, all, found });
  }
  return { collections, aliases: engine.aliases.list() };
}

export async function assertEqualStates(replicas: readonly Replica[]): Promise<void> {
  const [first, ...others] = await Promise.all(replicas.map(({ engine }) => stateOf(engine)));
  for (const other of others) assert.deepEqual(other, first);
}
