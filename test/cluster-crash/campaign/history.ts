/**
 * What clients of a cluster did and were told, as registers: each key holds a value or nothing, and every value is written once. Made
 * by the traffic of a campaign, judged by history-checker.ts.
 *
 * Times are of one clock. A request that touches several keys at once is one write of each.
 */

/** null: nothing is there. */
export type Value = string | null;

/** acknowledged: it is done; refused: it is not, and never will be; unknown: it is done once, at any time, or never. */
export type Outcome = 'acknowledged' | 'refused' | 'unknown';

export interface Write {
  readonly key: string;
  readonly value: Value;
  readonly invoked: number;
  /** Of one that is unknown it says nothing. */
  readonly responded: number;
  readonly outcome: Outcome;
}

export interface Read {
  readonly key: string;
  readonly value: Value;
  readonly invoked: number;
  readonly responded: number;
  /** Who answered: the reads of one node never go back. */
  readonly node: number;
  /** After all writes: what it misses is lost. */
  readonly isFinal?: boolean;
}

export interface History {
  /** What keys held before; others held nothing. */
  readonly initial: ReadonlyMap<string, Value>;
  readonly writes: readonly Write[];
  readonly reads: readonly Read[];
}

/**
 * lost, stale: an acknowledged write is missed, at the end or before; unwritten: a value that nobody wrote, or that was refused;
 * early: it was seen before it was sent; backwards: a node showed an older state than before; unexplained: several reads of
 * nothing, of which each alone could be right.
 */
export type FindingKind = 'lost' | 'stale' | 'unwritten' | 'early' | 'backwards' | 'unexplained';

export interface Finding {
  readonly kind: FindingKind;
  readonly key: string;
  readonly message: string;
}

/** The writes and reads of one key. */
export interface KeyHistory {
  readonly key: string;
  readonly initial: Value;
  readonly writes: readonly Write[];
  readonly reads: readonly Read[];
}

/** `history` by its keys. */
export function byKey({ initial, writes, reads }: History): KeyHistory[] {
  const histories = new Map<string, { writes: Write[]; reads: Read[] }>();
  const of = (key: string): { writes: Write[]; reads: Read[] } => {
    const known = histories.get(key);
    if (known !== undefined) return known;
    const made = { writes: [], reads: [] };
    histories.set(key, made);
    return made;
  };
  for (const key of initial.keys()) of(key);
  for (const write of writes) of(write.key).writes.push(write);
  for (const read of reads) of(read.key).reads.push(read);
  return Array.from(histories, ([key, history]) => ({ key, initial: initial.get(key) ?? null, ...history }));
}
