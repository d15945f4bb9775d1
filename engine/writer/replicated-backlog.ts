/**
 * What a replicated log has brought and the writer has not applied yet, in the order of that log and in no other.
 *
 * Takes the place of WriteBacklog. What is committed together is cut anywhere; the position moves only behind whole deliveries, and no
 * snapshot begins in the middle of one.
 */
import type { Delivery } from '../replication.js';
import { decodeRequest } from './state/request-records.js';
import type { LoneRequest, WriteRequest, WriterRequest } from './state/write-requests.js';
import { type Backlog, COMMIT_BYTES_MAX, COMMIT_COLLECTIONS_MAX, isLone } from './write-backlog.js';

interface Entry {
  /** null: only the position moves. */
  readonly request: WriterRequest | null;
  /** Of its record. */
  readonly bytes: number;
  /** Where the log is behind it; null: the delivery goes on, or it is none of the log. */
  readonly position: Pick<Delivery, 'sequence' | 'replayFrom'> | null;
  readonly endsDelivery: boolean;
}

export class ReplicatedBacklog implements Backlog {
  readonly #onApplied: (sequence: number, replayFrom: number, bytes: number) => void;
  readonly #entries: Entry[] = [];
  #bytes = 0;
  /** The last place that was delivered. */
  #delivered: number;
  /** Of what was taken and is not committed. */
  #takenBytes = 0;
  #takenTo: Entry['position'] = null;
  #isInside = false;
  /** Since the start. */
  #appliedBytes = 0;

  /** `applied`: the last place that is; `onApplied` hears of each later one, and of the bytes of records taken in since the start. */
  constructor(applied: number, onApplied: (sequence: number, replayFrom: number, bytes: number) => void) {
    this.#delivered = applied;
    this.#onApplied = onApplied;
  }

  get count(): number {
    return this.#entries.length;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get isInside(): boolean {
    return this.#isInside;
  }

  /** Takes what follows in the log; what was delivered before is passed over. Errors: corrupt_data. */
  deliver({ sequence, replayFrom, records, isOwn }: Delivery): void {
    if (sequence <= this.#delivered) return;
    this.#delivered = sequence;
    const position = { sequence, replayFrom };
    if (records.length === 0) this.#entries.push({ request: null, bytes: 0, position, endsDelivery: true });
    records.forEach((record, i) => {
      const isLast = i === records.length - 1;
      const request = decodeRequest(record, sequence, isOwn);
      this.#entries.push({ request, bytes: record.length, position: isLast ? position : null, endsDelivery: isLast });
      this.#bytes += record.length;
    });
  }

  /** Takes what was asked for here and changes nothing: a dry run. */
  add(request: WriterRequest): void {
    this.#entries.push({ request, bytes: 0, position: null, endsDelivery: true });
  }

  release(): void {
    this.#bytes -= this.#takenBytes;
    this.#appliedBytes += this.#takenBytes;
    this.#takenBytes = 0;
    if (this.#takenTo === null) return;
    const { sequence, replayFrom } = this.#takenTo;
    this.#takenTo = null;
    this.#onApplied(sequence, replayFrom, this.#appliedBytes);
  }

  /** Nothing is prepared ahead: there is no disk to be waited for meanwhile. */
  writeAt(): null {
    return null;
  }

  takeLone(): LoneRequest | null {
    const request = this.#entries.at(0)?.request ?? null;
    if (request === null || !isLone(request)) return null;
    this.#take(1);
    return request;
  }

  takeGroup(): WriteRequest[] {
    return this.#take(this.#groupEnd().count);
  }

  groupBytes(): number {
    return this.#groupEnd().bytes;
  }

  /** None: whatever comes first is applied first. */
  takeDeletions(): [] {
    return [];
  }

  #groupEnd(): { readonly count: number; readonly bytes: number } {
    const collections = new Set<number>();
    let bytes = 0;
    let count = 0;
    for (const entry of this.#entries) {
      if (bytes >= COMMIT_BYTES_MAX || collections.size >= COMMIT_COLLECTIONS_MAX) break;
      if (entry.request !== null && isLone(entry.request)) break;
      if (entry.request?.kind === 'index') collections.add(entry.request.collectionId);
      bytes += entry.bytes;
      count++;
    }
    return { count, bytes };
  }

  #take(count: number): WriteRequest[] {
    const requests: WriteRequest[] = [];
    for (const { request, bytes, position, endsDelivery } of this.#entries.splice(0, count)) {
      if (request !== null && !isLone(request)) requests.push(request);
      this.#takenBytes += bytes;
      this.#takenTo = position ?? this.#takenTo;
      this.#isInside = !endsDelivery;
    }
    return requests;
  }
}
