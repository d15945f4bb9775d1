/**
 * The content of one file on a simulated disk: as the process sees it, as it surely is on the disk, and what a power
 * failure may make of the difference. Used by simulated-disk.ts.
 */
import { Journal } from './simulated-journal.js';
import type { Random } from './simulated-random.js';

/** What a disk writes as a whole. */
export const SECTOR_BYTES = 512;

/** Bytes that grow. */
class Content {
  #bytes: Uint8Array;
  size: number;

  constructor(bytes: Uint8Array = new Uint8Array(0)) {
    this.#bytes = bytes.slice();
    this.size = bytes.length;
  }

  /** Valid until the next change. */
  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.size);
  }

  /** Bytes between the old end and `position` become 0. */
  write(bytes: Uint8Array, position: number): void {
    if (bytes.length === 0) return;
    this.grow(position + bytes.length);
    this.#bytes.set(bytes, position);
  }

  /** Makes the content at least `size` long, with zeros. */
  grow(size: number): void {
    if (size <= this.size) return;
    if (size > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(size, 2 * this.#bytes.length, 256));
      larger.set(this.bytes);
      this.#bytes = larger;
    }
    this.size = size;
  }

  resize(size: number): void {
    this.#bytes.fill(0, Math.min(size, this.size), this.size);
    this.size = Math.min(size, this.size);
    this.grow(size);
  }
}

type FileEffect =
  | { readonly kind: 'write'; readonly position: number; readonly bytes: Uint8Array }
  | { readonly kind: 'truncate'; readonly size: number };

function apply(content: Content, effect: FileEffect): void {
  if (effect.kind === 'truncate') content.resize(effect.size);
  else content.write(effect.bytes, effect.position);
}

/** How likely an unsynced effect is kept, one value for each crash: extremes are the common failures. */
const KEPT_SHARES = [1, 0.5, 0, 0.9, 0.1] as const;

export class Inode {
  readonly #durable: Content;
  readonly #current: Content;
  readonly #journal: Journal<FileEffect>;
  /** Open files of it. */
  openCount = 0;

  constructor(durable = new Content(), current = new Content(durable.bytes), journal = new Journal<FileEffect>()) {
    this.#durable = durable;
    this.#current = current;
    this.#journal = journal;
  }

  get size(): number {
    return this.#current.size;
  }

  /** As the process sees it. Valid until the next change. */
  get bytes(): Uint8Array {
    return this.#current.bytes;
  }

  write(bytes: Uint8Array, position: number): void {
    if (bytes.length > 0) this.#change({ kind: 'write', position, bytes: bytes.slice() });
  }

  truncate(size: number): void {
    this.#change({ kind: 'truncate', size });
  }

  #change(effect: FileEffect): void {
    apply(this.#current, effect);
    this.#journal.add(effect);
  }

  /** Begins a sync, which covers what was done before; to be given to endSync(). */
  get syncMark(): number {
    return this.#journal.mark;
  }

  endSync(mark: number, succeeded: boolean): void {
    this.#journal.endSync(mark, succeeded, (effect) => apply(this.#durable, effect));
  }

  /** The same file for the next process: what is not durable still is not. */
  copy(): Inode {
    return new Inode(
      new Content(this.#durable.bytes),
      new Content(this.#current.bytes),
      this.#journal.forNextProcess((effect) => effect),
    );
  }

  /**
   * The file that a power failure leaves: what is durable, and of each unsynced effect all, nothing or a part. They are
   * applied in the order in which they were done: any order of writes to different places is a subset of that, and of one
   * place the page cache holds one version.
   */
  afterPowerFailure(random: Random): Inode {
    const content = new Content(this.#durable.bytes);
    const keptShare = KEPT_SHARES[Math.floor(random() * KEPT_SHARES.length)];
    for (const { effect, fate } of this.#journal.entries) {
      if (fate === 'synced' || random() < keptShare) apply(content, effect);
      else if (effect.kind === 'write') applyPart(content, effect.bytes, effect.position, random);
    }
    return new Inode(content);
  }
}

/** Nothing of a write, its beginning, or some of its sectors. */
function applyPart(content: Content, bytes: Uint8Array, position: number, random: Random): void {
  const choice = random();
  if (choice < 0.4) {
    // The new size reached the disk, the data did not.
    if (random() >= 0.5) content.grow(position + bytes.length);
  } else if (choice < 0.7) {
    content.write(bytes.subarray(0, Math.floor(random() * bytes.length)), position);
  } else {
    applySectors(content, bytes, position, random);
  }
}

/** Each sector by itself: written, left as it was, or zeros. A last sector that is missing may leave its size behind. */
function applySectors(content: Content, bytes: Uint8Array, position: number, random: Random): void {
  for (let start = 0; start < bytes.length; ) {
    const length = Math.min(SECTOR_BYTES - ((position + start) % SECTOR_BYTES), bytes.length - start);
    const choice = random();
    if (choice < 0.5) content.write(bytes.subarray(start, start + length), position + start);
    else if (choice < 0.75) content.write(new Uint8Array(length), position + start);
    start += length;
  }
  if (random() < 0.5) content.grow(position + bytes.length);
}
