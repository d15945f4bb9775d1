/**
 * A snapshot store in the Object Store of JetStream: the same NATS servers that order the writes, and nothing more to run.
 *
 * Runs in the cluster thread, the only one that loads NATS. Objects are small: the library's reader does not wait for who reads,
 * and what it may hold is one object. Pieces have a bucket of their own, because a bucket can only be listed as a whole.
 */
import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/nats-core';
import { Base64UrlPaddedCodec, type ObjectStore, Objm, StorageType, setSha256Backend } from '@nats-io/obj';
import { PIECES } from './snapshot-catalog.js';
import { DamagedObject, LateObject, type SnapshotStore, type StoredObject } from './snapshot-store.js';

/** Bytes of a message: large ones cost fewer round trips, and hold up what others publish for longer. */
const CHUNK_BYTES = 512 * 1024;
/** Room that a message's subject and headers take of the server's max_payload. */
const HEADER_ROOM = 1024;
/** Of one message, and of reading a whole object. */
const CHUNK_TIMEOUT_MS = 10_000;
const READ_TIMEOUT_MS = 60_000;

/** The buckets of a cluster's snapshots, created when missing with `replicas` copies. Errors: what the connection throws. */
export async function openJetStreamStore(
  connection: NatsConnection,
  clusterName: string,
  replicas: number,
): Promise<SnapshotStore> {
  // The library's own would take ten times as long, on the thread that follows the log.
  setSha256Backend('native');
  const room = (connection.info?.max_payload ?? 1024 * 1024) - HEADER_ROOM;
  const manager = await jetstreamManager(connection);
  const open = async (name: string): Promise<Bucket> => {
    const objects = await new Objm(connection).create(name, { storage: StorageType.File, replicas });
    return new Bucket(name, objects, manager, Math.min(CHUNK_BYTES, room));
  };
  const snapshots = await open(`SABRE_${clusterName}_snapshots`);
  const pieces = await open(`SABRE_${clusterName}_pieces`);
  const of = (name: string): Bucket => (name.startsWith(PIECES) ? pieces : snapshots);
  return {
    place: `the bucket ${snapshots.name} of JetStream`,
    list: (prefix) => of(prefix).list(prefix),
    put: (name, bytes) => of(name).put(name, bytes),
    get: (name) => of(name).get(name),
    remove: (name) => of(name).remove(name),
  };
}

class Bucket {
  readonly name: string;
  readonly #objects: ObjectStore;
  readonly #manager: JetStreamManager;
  readonly #chunkBytes: number;

  constructor(name: string, objects: ObjectStore, manager: JetStreamManager, chunkBytes: number) {
    this.name = name;
    this.#objects = objects;
    this.#manager = manager;
    this.#chunkBytes = chunkBytes;
  }

  async list(prefix: string): Promise<StoredObject[]> {
    const infos = await this.#objects.list();
    return infos
      .filter(({ name }) => name.startsWith(prefix))
      .map(({ name, mtime }) => ({ name, storedAt: Date.parse(mtime) || 0 }));
  }

  async put(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    const options = { max_chunk_size: this.#chunkBytes };
    await this.#objects.putBlob({ name, options }, bytes, { timeout: CHUNK_TIMEOUT_MS });
  }

  async get(name: string): Promise<Uint8Array<ArrayBuffer> | null> {
    const result = await this.#objects.get(name);
    if (result === null) return null;
    result.error.catch(() => {});
    const bytes = new Uint8Array(result.info.size);
    const reader = result.data.getReader();
    // Of an object that lost a message the reader would wait for ever.
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new LateObject(name, `not read in ${READ_TIMEOUT_MS} ms`)), READ_TIMEOUT_MS);
    });
    try {
      let position = 0;
      for (;;) {
        const { done, value } = await Promise.race([reader.read(), late]);
        if (done) break;
        if (position + value.length > bytes.length) throw new DamagedObject(name, 'it is longer than was said');
        bytes.set(value, position);
        position += value.length;
      }
      if (position < bytes.length) throw new DamagedObject(name, `${position} of ${bytes.length} bytes`);
      return bytes;
    } catch (error) {
      await reader.cancel().catch(() => {});
      if (error instanceof Error && error.message.includes('digests do not match')) {
        throw new DamagedObject(name, 'its digest is another');
      }
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  async remove(name: string): Promise<void> {
    if ((await this.#objects.info(name)) === null) return;
    await this.#objects.delete(name);
    // What says that it was deleted would stay for ever.
    const filter = `$O.${this.name}.M.${Base64UrlPaddedCodec.encode(name)}`;
    await this.#manager.streams.purge(`OBJ_${this.name}`, { filter });
  }
}
