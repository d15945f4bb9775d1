/**
 * The maintenance thread's end of the messages between it and the writer: carries out orders and answers them. The other
 * ends are maintenance-client.ts and, while the log is replayed, replay-client.ts.
 *
 * Writes only the region that an order names and the files that a snapshot names, and reads only what the writer keeps
 * until the answer.
 */
import type { MessagePort } from 'node:worker_threads';
import { assertPresent } from '../core/assert.js';
import { EngineError } from '../core/errors.js';
import { type Arena, type Region, type RegionViews, viewRegion } from '../memory/arena.js';
import { collectGarbage } from '../memory/collect-garbage.js';
import { crc32c } from '../storage/files/crc32c.js';
import { segmentName } from '../storage/files/data-files.js';
import type { Directory } from '../storage/files/directory.js';
import { heldDirectory } from '../storage/files/node-directory.js';
import { openSegmentFile, verifySegmentFile } from '../storage/files/segment-file.js';
import type { ManifestSegment } from '../storage/types/manifest.js';
import { runRebuildOrder } from '../writer/change/rebuild-order.js';
import { runMergeOrder } from '../writer/merge/merge-job.js';
import { BundleBuilder, type ReplayOrder } from '../writer/recovery/replay-bundle.js';
import { writeSnapshot } from '../writer/snapshot/snapshot-job.js';
import { SharedWords } from './atomic-words.js';
import type { MaintenanceInput, MaintenanceOutput, PostedError } from './messages.js';
import { OrderWord } from './order-word.js';

export class MaintenanceEnd {
  readonly #port: MessagePort;
  readonly #onReplayed: () => void;
  readonly #arenas: Arena[] = [];
  #directory: Directory | null = null;
  /** Has large buffers; none once the log is replayed. */
  #builder: BundleBuilder | null = null;
  readonly #view = (region: Region): RegionViews =>
    viewRegion(assertPresent(this.#arenas[region.arena], 'arena of the region'), region);

  /** `onReplayed` is called when nothing more is to be built. */
  constructor(port: MessagePort, onReplayed: () => void) {
    this.#port = port;
    this.#onReplayed = onReplayed;
  }

  /** Carries out orders as they come. */
  listen(): void {
    this.#port.on('message', (message: MaintenanceInput) => {
      this.#carryOut(message).catch((error: unknown) => {
        // A bug: let it end the thread, and with it the process.
        setImmediate(() => {
          throw error;
        });
      });
    });
  }

  async #carryOut(message: MaintenanceInput): Promise<void> {
    switch (message.kind) {
      case 'folder':
        this.#directory = heldDirectory(message.folder);
        break;
      case 'arena':
        this.#arenas[message.arena.id] = message.arena;
        break;
      case 'merge':
        this.#send({ kind: 'merge', outcome: runMergeOrder(message.order, this.#view) });
        break;
      case 'rebuild':
        this.#send({ kind: 'rebuild', outcome: runRebuildOrder(message.order, this.#view) });
        break;
      case 'snapshot':
        this.#send({
          kind: 'snapshot',
          outcome: await writeSnapshot(message.order, this.#dataDirectory(), this.#view),
        });
        if (message.state !== null) new OrderWord(new SharedWords(message.state)).end();
        // The manifest of thousands of collections takes megabytes, which the runtime would keep until this thread makes more.
        collectGarbage();
        break;
      case 'verify':
        this.#send({ kind: 'verify', error: await this.#verify(message.segment) });
        break;
      case 'build':
        this.#build(message.order, new OrderWord(new SharedWords(message.state)));
        break;
      case 'built':
        this.#builder = null;
        this.#onReplayed();
        break;
      case 'collect':
        collectGarbage();
        break;
    }
  }

  #build({ bundle, target }: ReplayOrder, word: OrderWord): void {
    if (!word.begin()) return;
    this.#builder ??= new BundleBuilder();
    const built = this.#builder.buildInto(this.#view(target), bundle);
    this.#send({ kind: 'build', collectionId: bundle.collectionId, built });
    word.end();
  }

  async #verify(segment: ManifestSegment): Promise<PostedError | null> {
    try {
      const directory = this.#dataDirectory();
      const file = openSegmentFile(directory, segment, crc32c);
      try {
        await verifySegmentFile(file, `${directory.path}/${segmentName(segment)}`, segment, crc32c);
      } finally {
        file.close();
      }
      return null;
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      return { code: error.code, message: error.message };
    }
  }

  #dataDirectory(): Directory {
    return assertPresent(this.#directory, 'data folder');
  }

  #send(message: MaintenanceOutput): void {
    this.#port.postMessage(message);
  }
}
