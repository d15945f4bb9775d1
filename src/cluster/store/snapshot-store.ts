/**
 * Where the snapshots of a cluster lie: objects of a few megabytes at most, by name. What is built on it is upload-snapshot.ts,
 * download-snapshot.ts and trim.ts; implemented by jetstream-store.ts and s3-store.ts.
 *
 * Any operation may fail at any time, and says so by an error whose message holds no secret.
 */

/** An object that is there. */
export interface StoredObject {
  readonly name: string;
  /** When it was put last, Unix time in milliseconds, by a clock that may be some minutes wrong. */
  readonly storedAt: number;
}

export interface SnapshotStore {
  /** For messages: which store it is. */
  readonly place: string;
  /** All objects whose names begin with `prefix`, in any order. */
  list(prefix: string): Promise<StoredObject[]>;
  /** Stores an object whole, or not at all, and replaces what has its name. */
  put(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  /** null: there is none. What is damaged is given as it is, or fails with a DamagedObject. */
  get(name: string): Promise<Uint8Array<ArrayBuffer> | null>;
  /** Nothing happens when there is none. */
  remove(name: string): Promise<void>;
}

/** The store itself says that what it has of an object is not what was put. */
export class DamagedObject extends Error {
  constructor(name: string, why: string) {
    super(`the object ${name} is damaged: ${why}`);
  }
}

/** An object of which something did not come in time: it is damaged, or the store is slow. */
export class LateObject extends DamagedObject {}
