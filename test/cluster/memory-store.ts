/**
 * A snapshot store in memory that fails when it is told to, for the tests of uploads, downloads and trimming.
 */
import type { ClusterLog } from '../../src/cluster/store/cluster-log.js';
import { DamagedObject, type SnapshotStore, type StoredObject } from '../../src/cluster/store/snapshot-store.js';

export class MemoryStore implements SnapshotStore {
  readonly place = 'the store in memory';
  readonly objects = new Map<string, { bytes: Uint8Array<ArrayBuffer>; storedAt: number }>();
  /** Every call, as "put pieces/...". */
  readonly calls: string[] = [];
  /** Called before each call: what it throws is the call's error. */
  before: (call: string) => void = () => {};
  nowMs: () => number = () => Date.now();

  names(prefix = ''): string[] {
    return [...this.objects.keys()].filter((name) => name.startsWith(prefix)).sort();
  }

  /** Changes one bit of an object, and leaves its length. */
  damage(name: string): void {
    const object = this.objects.get(name);
    if (object === undefined) throw new Error(`no object ${name}`);
    const bytes = object.bytes.slice();
    bytes[bytes.length >> 1] ^= 4;
    this.objects.set(name, { ...object, bytes });
  }

  async list(prefix: string): Promise<StoredObject[]> {
    await this.#call(`list ${prefix}`);
    return this.names(prefix).map((name) => ({ name, storedAt: this.objects.get(name)?.storedAt ?? 0 }));
  }

  async put(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    await this.#call(`put ${name}`);
    this.objects.set(name, { bytes: bytes.slice(), storedAt: this.nowMs() });
  }

  async get(name: string): Promise<Uint8Array<ArrayBuffer> | null> {
    await this.#call(`get ${name}`);
    return this.objects.get(name)?.bytes.slice() ?? null;
  }

  async remove(name: string): Promise<void> {
    await this.#call(`remove ${name}`);
    this.objects.delete(name);
  }

  async #call(call: string): Promise<void> {
    this.calls.push(call);
    await new Promise(setImmediate);
    this.before(call);
  }
}

/** For `before`: the store says of an object that it is damaged. */
export const saysDamaged = (name: string) => (call: string) => {
  if (call === `get ${name}`) throw new DamagedObject(name, 'a disk has lost it');
};

export class RecordedLog implements ClusterLog {
  readonly lines: string[] = [];

  info(_: object, message: string): void {
    this.lines.push(`info ${message}`);
  }

  warn(_: object, message: string): void {
    this.lines.push(`warn ${message}`);
  }

  error(_: object, message: string): void {
    this.lines.push(`error ${message}`);
  }
}
