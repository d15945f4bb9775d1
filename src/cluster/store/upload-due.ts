/**
 * When a node uploads its snapshot. Pure. The node that uploaded last goes on doing so, because most of its files are in the store;
 * another takes over only when nothing has come for longer.
 */

/** How much longer another node waits. */
const PATIENCE = 1.5;

/** The newest snapshot of the store. */
export interface LastUpload {
  readonly sequence: number;
  readonly node: string;
  /** Unix time in milliseconds. */
  readonly storedAt: number;
}

/** Whether `node`, whose snapshot has message `sequence`, uploads it at `nowMs`. `last` is null when the store has none. */
export function isUploadDue(
  node: string,
  sequence: number,
  last: LastUpload | null,
  intervalMs: number,
  nowMs: number,
): boolean {
  if (last === null) return sequence > 0;
  if (sequence <= last.sequence) return false;
  // A clock that is wrong must not put it off for longer than that.
  const age = Math.abs(nowMs - last.storedAt);
  return age >= (last.node === node ? intervalMs : intervalMs * PATIENCE);
}
