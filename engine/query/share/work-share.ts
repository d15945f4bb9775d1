/**
 * How several threads work at one search, as the code that evaluates it sees it. Implemented where threads meet
 * (channel/search-share.ts).
 *
 * The starter, whose search it is, offers the chunks of all segments, counted through in order of insertion. It and its helpers
 * take chunks until none is left; each collects what it takes as if there were nothing else, and helpers write down what came of
 * it (search-part.ts), but for counters that they lend: those are where the starter can read them. The starter puts the parts
 * together (merge-top.ts).
 */

/** Where a thread gets chunks that are its own, in rising order. */
export interface ChunkSource {
  /** What was taken last: the chunks [first, end). */
  readonly first: number;
  readonly end: number;
  /** Takes the next chunks; false: there are none for this thread. */
  take(): boolean;
}

/** A helper's side. */
export interface HelperSource extends ChunkSource {
  /**
   * Whether memory of this thread may be lent to the starter: nothing may write to it then until it has been read. Asked when no
   * more chunks are taken. `total`: adds up there what the starter says in a task (WorkShare.askForTotals), when the segments may have gone; null:
   * it cannot.
   */
  lend(total: ((task: Uint32Array) => void) | null): boolean;
}

/** A search that is worth sharing. */
export interface OfferedSearch {
  /** What it takes, about, in microseconds. */
  readonly costUs: number;
  /** Of all segments. */
  readonly chunks: number;
  /** What the first stage found where this is the second; -1: this is the first. */
  readonly foundBefore: number;
  /** 32-bit words that a part may take at most. */
  readonly partWords: number;
}

/** The starter's side. */
export interface WorkShare extends ChunkSource {
  /** What a thread has to take over to be worth waking, in microseconds: searches that take less are not shared. */
  readonly aboveUs: number;
  /** Goes on to a search of a collection of which `version` updates have been taken in. */
  begin(version: number): void;
  /** A search of so many chunks, several, is begun that is likely to be offered, if it takes long: others get ready for its first stage. */
  announce(chunks: number): void;
  /** What was announced is not offered any more, unless it was. */
  withdraw(): void;
  /** Offers the search to other threads; false: none can help now. Else come take(), close() and release(). */
  offer(search: OfferedSearch): boolean;
  /** Ends the taking, and waits for what others have taken: their parts, until release(); null: some are lost. */
  close(): readonly Uint32Array[] | null;
  /**
   * After close(): has one of those who lend something add it up, while this thread goes on with something else. `write` writes the task for
   * part `adder`, and may say that there is none; false: nobody does it.
   */
  askForTotals(write: (task: Uint32Array, adder: number) => boolean): boolean;
  /**
   * After that: the task with its answer, until release(). Does it by `total` where nobody has begun it. Errors: what was added up is lost.
   */
  takeTotals(total: (task: Uint32Array) => void): Uint32Array;
  /** After close(): what others have lent is not needed any more. */
  giveBack(): void;
  /** Forgets the offer, after close() or without it: others stop then as soon as they can. */
  release(): void;
}

/** Shares nothing. */
export const NO_SHARE: WorkShare = {
  aboveUs: Number.POSITIVE_INFINITY,
  first: 0,
  end: 0,
  begin() {},
  announce() {},
  withdraw() {},
  offer: () => false,
  take: () => false,
  close: () => [],
  askForTotals: () => false,
  takeTotals() {
    throw new Error('nobody was asked');
  },
  giveBack() {},
  release() {},
};
