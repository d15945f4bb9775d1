/**
 * The smallest engine that follows a log: it remembers the records that it has applied, in order, and answers writes when it is told to.
 */
import type { MessagePort } from 'node:worker_threads';
import type { AppliedNote, DeliveryBatch, EngineError, ReplicatedEngine, Replication } from '../../engine/index.js';

interface WaitingWrite {
  readonly resolve: (sequence: number) => void;
  readonly reject: (error: EngineError) => void;
}

export class FakeReplica implements ReplicatedEngine {
  readonly snapshotSequence = 0;
  readonly hasMetDamage = false;
  /** Of all records that were applied, in order, as text. */
  readonly records: string[] = [];
  appliedSequence = 0;
  released = 0;
  /** How long a batch takes. */
  delayMs = 0;
  readonly #replication: Replication;
  readonly #waiting = new Map<number, WaitingWrite>();
  /** Own records that were applied, by the sequence. */
  readonly #applied: { readonly sequence: number; readonly number: number }[] = [];
  readonly #listeners: ((sequence: number) => void)[] = [];
  #number = 0;
  #bytes = 0;
  #work: Promise<void> = Promise.resolve();

  constructor(replication: Replication, numberOffset = 0) {
    this.#replication = replication;
    this.#number = numberOffset;
    replication.deliveries.on('message', (batch: DeliveryBatch) => {
      this.#work = this.#work.then(() => this.#apply(batch, replication.deliveries));
    });
  }

  onApplied(listener: (sequence: number) => void): void {
    this.#listeners.push(listener);
  }

  release(sequence: number): void {
    this.released = sequence;
    this.#answer();
  }

  refuse(number: number, error: EngineError): void {
    this.#waiting.get(number)?.reject(error);
    this.#waiting.delete(number);
  }

  /** Resolves with the sequence of a write of `text`, once it may be acknowledged; its record has `bytes` at least. */
  write(text: string, bytes = 0): Promise<number> {
    const number = ++this.#number;
    const record = new TextEncoder().encode(`${number} ${text}`.padEnd(bytes));
    const copy = new Uint8Array(record.length);
    copy.set(record);
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject });
      this.#replication.propose(number, copy);
    });
  }

  async #apply({ deliveries }: DeliveryBatch, port: MessagePort): Promise<void> {
    if (this.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, this.delayMs));
    for (const { sequence, isOwn, records } of deliveries) {
      if (sequence <= this.appliedSequence) throw new Error(`${sequence} comes behind ${this.appliedSequence}`);
      for (const record of records) {
        const [number = '', ...words] = new TextDecoder().decode(record).trimEnd().split(' ');
        this.records.push(words.join(' '));
        if (isOwn) this.#applied.push({ sequence, number: Number(number) });
        this.#bytes += record.length;
      }
      this.appliedSequence = sequence;
    }
    port.postMessage({ bytes: this.#bytes } satisfies AppliedNote);
    for (const listener of this.#listeners) listener(this.appliedSequence);
    this.#answer();
  }

  #answer(): void {
    while ((this.#applied[0]?.sequence ?? Number.POSITIVE_INFINITY) <= this.released) {
      const { sequence, number } = this.#applied.shift() ?? { sequence: 0, number: 0 };
      this.#waiting.get(number)?.resolve(sequence);
      this.#waiting.delete(number);
    }
  }
}
