/**
 * Which snapshots and pieces of a store may go, and how much of the stream. Pure: asks nobody, removes nothing.
 *
 * Only who holds the upload lock trims, so that no other upload is under way; one that has lost the lock and does not know it yet
 * is why a piece has to be old before it may go, and why an upload relies on no piece that could go meanwhile.
 */

/** Whole snapshots that stay: the newest, and one more in case that cannot be read. */
export const SNAPSHOTS_KEPT = 2;
/** A piece that nobody names stays for so long: the upload that put it may be about to name it. */
export const UNNAMED_KEPT_MS = 60 * 60 * 1000;

/** A snapshot of the store, of the stream in question. */
export interface KnownSnapshot {
  readonly name: string;
  readonly sequence: number;
  readonly replayFrom: number;
  /** Hashes. */
  readonly pieces: ReadonlySet<string>;
}

export interface StoreContents {
  readonly snapshots: readonly KnownSnapshot[];
  /** Whether there are others: damaged, of a newer version, or of another stream. Nobody knows then, or nobody may say, what they need. */
  readonly hasOthers: boolean;
  readonly pieces: readonly StoredPiece[];
  /** Hashes of pieces that a node has found damaged. */
  readonly damaged: ReadonlySet<string>;
}

export interface StoredPiece {
  readonly hash: string;
  /** Unix time in milliseconds. */
  readonly storedAt: number;
}

/** What is kept of the stream though no snapshot needs it: both say from which message on. */
export interface StreamLimits {
  readonly keptForSize: number;
  readonly keptForAge: number;
}

export interface TrimPlan {
  /** Names of snapshots. */
  readonly snapshots: readonly string[];
  /** Hashes of pieces, to be removed after those. */
  readonly pieces: readonly string[];
  /** The first message of the stream that has to stay; null: all of it. */
  readonly purgeBefore: number | null;
}

const newestFirst = (a: KnownSnapshot, b: KnownSnapshot): number =>
  b.sequence - a.sequence || (a.name < b.name ? 1 : -1);

/**
 * What may go at the time `nowMs`, Unix time. Two whole snapshots stay, and whatever is newer than the older one of them; without
 * two, everything stays but what nobody names.
 */
export function planTrim(contents: StoreContents, limits: StreamLimits, nowMs: number): TrimPlan {
  const { hasOthers, pieces, damaged } = contents;
  const there = new Set(pieces.map(({ hash }) => hash));
  const isWhole = (snapshot: KnownSnapshot): boolean =>
    [...snapshot.pieces].every((hash) => there.has(hash) && !damaged.has(hash));
  const sorted = contents.snapshots.toSorted(newestFirst);
  const whole = sorted.filter(isWhole).slice(0, SNAPSHOTS_KEPT);
  const older = whole[SNAPSHOTS_KEPT - 1];
  const end = older === undefined ? sorted.length : sorted.indexOf(older) + 1;
  const needed = new Set(sorted.slice(0, end).flatMap((snapshot) => [...snapshot.pieces]));
  const mayGo = (piece: StoredPiece): boolean => !needed.has(piece.hash) && piece.storedAt < nowMs - UNNAMED_KEPT_MS;
  const starts = whole.map(({ replayFrom }) => replayFrom);
  return {
    snapshots: sorted.slice(end).map(({ name }) => name),
    pieces: hasOthers ? [] : pieces.filter(mayGo).map(({ hash }) => hash),
    purgeBefore: older === undefined ? null : Math.min(limits.keptForSize, limits.keptForAge, ...starts),
  };
}

/**
 * The pieces that an upload which begins at `nowMs` need not put: those that a snapshot names, and young ones that it leaves before
 * they may go. Any other could go under its hands.
 */
export function reliablePieces({ snapshots, pieces, damaged }: StoreContents, nowMs: number): Set<string> {
  const named = new Set(snapshots.flatMap((snapshot) => [...snapshot.pieces]));
  const isReliable = ({ hash, storedAt }: StoredPiece): boolean =>
    !damaged.has(hash) && (named.has(hash) || storedAt > nowMs - UNNAMED_KEPT_MS / 2);
  return new Set(pieces.filter(isReliable).map(({ hash }) => hash));
}
