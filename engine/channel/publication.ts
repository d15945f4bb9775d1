/**
 * Updates from the writer to the readers: posted to every reader, then made the next generation.
 *
 * The writer posts before it stores the generation (generations.ts), and a reader takes in updates after it has noted its
 * epoch: so it knows of everything that its generation reaches. One that sleeps needs no update before its next read; it
 * is woken now and then, only so that they do not pile up.
 */
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import type { ReaderUpdate } from '../segment/updates.js';
import type { Publisher } from '../writer/commit/write-path.js';
import type { AtomicWords } from './atomic-words.js';
import type { Doorbell } from './doorbell.js';
import { Generations } from './generations.js';
import { type PostedUpdate, UpdatePacker, UpdateUnpacker } from './packed-updates.js';
import { readerBell } from './read-loop.js';

/** Publications after which readers that sleep are woken. */
const WAKE_EVERY = 64;

/** The writer's end. */
export class UpdatePublisher implements Publisher {
  readonly #generations: Generations;
  readonly #ports: readonly MessagePort[];
  readonly #bells: readonly Doorbell[];
  readonly #packer = new UpdatePacker();

  /** `ports`: one a reader. */
  constructor(words: AtomicWords, ports: readonly MessagePort[]) {
    // The maintenance thread has an epoch too.
    this.#generations = new Generations(words, ports.length + 1);
    this.#ports = ports;
    this.#bells = ports.map((_, reader) => readerBell(words, reader));
  }

  get generation(): number {
    return this.#generations.current;
  }

  /** Tells the readers of something that no generation reaches yet. */
  announce(update: ReaderUpdate): void {
    const posted = this.#packer.pack(update);
    for (const port of this.#ports) port.postMessage(posted);
  }

  publish(updates: readonly ReaderUpdate[]): void {
    for (const update of updates) this.announce(update);
    this.#generations.publish();
    if (this.generation % WAKE_EVERY === 0) for (const bell of this.#bells) bell.ring();
  }

  oldestGenerationInUse(): number {
    return this.#generations.oldestInUse();
  }
}

/** A reader's end: takes in what has been posted, in order. */
export class UpdateReceiver {
  readonly #port: MessagePort;
  readonly #apply: (update: ReaderUpdate) => void;
  readonly #unpacker = new UpdateUnpacker();
  /** All that it reaches has been taken in; -1: not known. */
  #generation = -1;

  constructor(port: MessagePort, apply: (update: ReaderUpdate) => void) {
    this.#port = port;
    this.#apply = apply;
  }

  /** Takes in what `generation`, which the thread's epoch holds, reaches: nothing when that was the last one, too. */
  catchUp(generation: number): void {
    if (generation === this.#generation) return;
    this.receive();
    this.#generation = generation;
  }

  receive(): void {
    for (let got = receiveMessageOnPort(this.#port); got !== undefined; got = receiveMessageOnPort(this.#port))
      this.#apply(this.#unpacker.unpack(got.message as PostedUpdate));
  }

  /** Receives nothing more. */
  close(): void {
    this.#port.close();
  }
}
