/**
 * What was done to one thing on a simulated disk since the last state that surely is durable: the writes of a file, or
 * the names of a directory. Used by simulated-disk.ts.
 */

/**
 * unsynced: not covered by a sync that ended. doomed: a sync that covered it failed, so the system takes it for written;
 * later syncs succeed without it ("fsyncgate"). synced: durable, but it follows a doomed one, so it cannot be folded yet.
 */
export type Fate = 'unsynced' | 'doomed' | 'synced';

interface Entry<Effect> {
  readonly effect: Effect;
  fate: Fate;
}

export class Journal<Effect> {
  readonly #entries: Entry<Effect>[];
  /** Effects that were folded into the durable state. */
  #folded = 0;

  constructor(entries: Iterable<Readonly<Entry<Effect>>> = []) {
    this.#entries = Array.from(entries, (entry) => ({ ...entry }));
  }

  add(effect: Effect): void {
    this.#entries.push({ effect, fate: 'unsynced' });
  }

  /** What a sync that starts now covers: everything before this mark. */
  get mark(): number {
    return this.#folded + this.#entries.length;
  }

  /** In the order in which they were done. */
  get entries(): readonly Readonly<Entry<Effect>>[] {
    return this.#entries;
  }

  /**
   * The journal that the next process goes on with, each effect as `copy` makes it. Its syncs cover what they failed to
   * cover here as well, which a real system does not promise: but no program could know, and none do better than to sync
   * what it finds.
   */
  forNextProcess(copy: (effect: Effect) => Effect): Journal<Effect> {
    const fateOf = (fate: Fate): Fate => (fate === 'doomed' ? 'unsynced' : fate);
    return new Journal(this.#entries.map(({ effect, fate }) => ({ effect: copy(effect), fate: fateOf(fate) })));
  }

  /** Ends a sync that began at `mark`. Hands each effect that is durable with all before it to `fold`, once. */
  endSync(mark: number, succeeded: boolean, fold: (effect: Effect) => void): void {
    const covered = this.#entries.slice(0, Math.max(0, mark - this.#folded));
    for (const entry of covered) if (entry.fate === 'unsynced') entry.fate = succeeded ? 'synced' : 'doomed';
    const first = this.#entries.findIndex(({ fate }) => fate !== 'synced');
    const durable = this.#entries.splice(0, first < 0 ? this.#entries.length : first);
    this.#folded += durable.length;
    for (const { effect } of durable) fold(effect);
  }
}
