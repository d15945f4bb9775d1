/**
 * Whether a cluster kept its word: is there one order of the writes of a key, such that every read saw the writes up to some point of
 * it? Called by the campaign after each round; pure.
 *
 * What must hold for such an order: a write comes behind those that were acknowledged before it was sent; a read sees all that
 * was acknowledged before it began, and nothing that was sent after it ended; the points of two reads of one node, one after the
 * other, never go back. What was refused is nowhere in it, and what is unknown once or not at all. That is weaker than
 * linearizable, as the promise is: two nodes may show a write that is under way in turn.
 *
 * As each value is written once, a read of a value names its write, and all of that are relations "comes before" between two
 * writes: an order is there unless they go in a circle. A read of nothing may mean any deletion: those are tried one by one.
 */
import {
  byKey,
  type Finding,
  type FindingKind,
  type History,
  type KeyHistory,
  type Read,
  type Value,
  type Write,
} from './history.js';
import { PartialOrder } from './partial-order.js';

/** Deletions tried for the reads of nothing of one key, before the checker gives up. */
const TRIES_MAX = 20_000;

export interface Judgement {
  readonly findings: readonly Finding[];
  /** Keys whose reads of nothing have too many explanations to try them all. */
  readonly undecided: readonly string[];
}

/** A relation that does not fit. */
interface Conflict {
  readonly kind: FindingKind;
  readonly because: string;
}

const shown = (value: Value): string => value ?? 'nothing';
const at = (time: number): string => time.toFixed(1);
const showRead = ({ node, value, invoked, responded }: Read): string =>
  `node ${node}, asked ${at(invoked)} to ${at(responded)}, says ${shown(value)}`;
const showWrite = ({ value, invoked, responded, outcome }: Write): string =>
  `${shown(value)} (${outcome}, sent ${at(invoked)}, answered ${at(responded)})`;

const isAcknowledgedBefore = ({ outcome, responded }: Write, time: number): boolean =>
  outcome === 'acknowledged' && responded < time;

class KeyChecker {
  readonly #key: string;
  /** Those that may have been done; the first stands for what was there before. */
  readonly #writes: readonly Write[];
  readonly #refused: readonly Write[];
  readonly #reads: readonly Read[];
  readonly #order: PartialOrder;
  /** Which write each read saw the last of. */
  readonly #seen = new Map<Read, number>();
  #triesLeft = TRIES_MAX;

  constructor({ key, initial, writes, reads }: KeyHistory) {
    const before: Write = { key, value: initial, invoked: -Infinity, responded: -Infinity, outcome: 'acknowledged' };
    this.#key = key;
    this.#writes = [before, ...writes.filter(({ outcome }) => outcome !== 'refused')];
    this.#refused = writes.filter(({ outcome }) => outcome === 'refused');
    this.#reads = reads.toSorted((a, b) => a.invoked - b.invoked);
    this.#order = new PartialOrder(this.#writes.length);
    for (const [a, first] of this.#writes.entries())
      for (const [b, second] of this.#writes.entries())
        if (a !== b && (a === 0 || (b !== 0 && isAcknowledgedBefore(first, second.invoked)))) this.#order.add(a, b);
  }

  /** null: too much to try. */
  check(): Finding | 'right' | 'undecided' {
    const open: Read[] = [];
    for (const read of this.#reads) {
      const candidates = this.#candidatesOf(read);
      const [only] = candidates;
      if (only === undefined) return this.#unwritten(read);
      if (candidates.length > 1) {
        open.push(read);
        continue;
      }
      const conflict = this.#place(this.#order, read, only);
      if (conflict !== null) return this.#finding(conflict, read);
    }
    return this.#explain(this.#order, open);
  }

  #candidatesOf({ value }: Read): number[] {
    return this.#writes.flatMap((write, index) => (write.value === value ? [index] : []));
  }

  #finding({ kind, because }: Conflict, read: Read): Finding {
    return { kind, key: this.#key, message: `${this.#key}: ${showRead(read)}, ${because}` };
  }

  #unwritten(read: Read): Finding {
    const refused = this.#refused.find(({ value }) => value === read.value);
    const because = refused === undefined ? 'which nobody wrote' : `which was refused: ${showWrite(refused)}`;
    return this.#finding({ kind: 'unwritten', because }, read);
  }

  /** Takes `read` for one that saw the writes up to `last`: what follows is added to `order`. */
  #place(order: PartialOrder, read: Read, last: number): Conflict | null {
    const write = this.#writes[last] as Write;
    if (write.invoked > read.responded)
      return { kind: 'early', because: `which was not yet sent: ${showWrite(write)}` };
    for (const [index, other] of this.#writes.entries()) {
      if (index === last) continue;
      if (isAcknowledgedBefore(other, read.invoked) && !order.add(index, last))
        return { kind: read.isFinal === true ? 'lost' : 'stale', because: `and misses ${showWrite(other)}` };
      if (other.invoked > read.responded && !order.add(last, index))
        return { kind: 'early', because: `but that comes behind what was sent later, ${showWrite(other)}` };
    }
    for (const [other, index] of this.#seen) {
      if (other.node !== read.node || index === last) continue;
      const isBehind = other.responded < read.invoked;
      if (!isBehind && !(read.responded < other.invoked)) continue;
      if (!(isBehind ? order.add(index, last) : order.add(last, index)))
        return { kind: 'backwards', because: `though ${showRead(other)}` };
    }
    this.#seen.set(read, last);
    return null;
  }

  /** Finds a deletion for each of `open`, which are reads of nothing, so that all fit together. */
  #explain(order: PartialOrder, open: readonly Read[]): Finding | 'right' | 'undecided' {
    const [read, ...others] = open;
    if (read === undefined) return 'right';
    let conflict: Conflict | null = null;
    let failed: Finding | null = null;
    // The latest first: it is mostly that one.
    for (const candidate of this.#candidatesOf(read).reverse()) {
      if (this.#triesLeft-- <= 0) return 'undecided';
      const tried = order.copy();
      const found = this.#place(tried, read, candidate);
      if (found !== null) {
        conflict = this.#graver(conflict, found);
        continue;
      }
      const rest = this.#explain(tried, others);
      if (rest === 'right' || rest === 'undecided') return rest;
      this.#seen.delete(read);
      failed = rest;
    }
    if (failed !== null) return { ...failed, kind: 'unexplained' };
    return this.#finding(conflict ?? { kind: 'unwritten', because: 'which nobody wrote' }, read);
  }

  /** That something is missed says more than that another deletion was not yet sent. */
  #graver(known: Conflict | null, found: Conflict): Conflict {
    return known === null || known.kind === 'early' ? found : known;
  }
}

/** Judges every key of `history`, and names the first thing that is wrong with each. */
export function checkHistory(history: History): Judgement {
  const findings: Finding[] = [];
  const undecided: string[] = [];
  for (const keyHistory of byKey(history)) {
    const result = new KeyChecker(keyHistory).check();
    if (result === 'undecided') undecided.push(keyHistory.key);
    else if (result !== 'right') findings.push(result);
  }
  return { findings, undecided };
}
