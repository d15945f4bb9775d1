/**
 * The disk below a simulated directory: files and their names, each durable by itself, and what a crash leaves of them.
 *
 * A POSIX file system at its weakest (Pillai et al., "All File Systems Are Not Created Equal", OSDI 2014): the sync of a
 * file does not make its name durable, that of the directory not the content of files. Renaming is atomic all the same,
 * as POSIX asks. Used by simulated-directory.ts alone; never fails by itself.
 */
import { Inode } from './simulated-inode.js';
import { Journal } from './simulated-journal.js';
import type { Random } from './simulated-random.js';

/**
 * Which changes of names a power failure keeps. prefix: the first few, as journaling file systems do. any: any of them;
 * of two that concern one name the later one wins.
 */
export type NameOrder = 'prefix' | 'any';

/** `inode` is null when the name goes. */
interface NameEffect {
  readonly changes: readonly { readonly name: string; readonly inode: Inode | null }[];
}

function apply(names: Map<string, Inode>, { changes }: NameEffect): void {
  for (const { name, inode } of changes) {
    if (inode === null) names.delete(name);
    else names.set(name, inode);
  }
}

export class SimulatedDisk {
  readonly #names: Map<string, Inode>;
  readonly #durableNames: Map<string, Inode>;
  readonly #journal: Journal<NameEffect>;
  /** Open files without a name: they take space until they are closed. */
  readonly #nameless = new Set<Inode>();

  constructor(
    names = new Map<string, Inode>(),
    durableNames = new Map<string, Inode>(names),
    journal = new Journal<NameEffect>(),
  ) {
    this.#names = names;
    this.#durableNames = durableNames;
    this.#journal = journal;
  }

  get names(): string[] {
    return [...this.#names.keys()];
  }

  get usedBytes(): number {
    let bytes = 0;
    for (const inode of new Set([...this.#names.values(), ...this.#nameless])) bytes += inode.size;
    return bytes;
  }

  find(name: string): Inode | null {
    return this.#names.get(name) ?? null;
  }

  /** An empty file of that name: a new one, or the old one emptied. */
  create(name: string): Inode {
    const old = this.find(name);
    if (old !== null) {
      old.truncate(0);
      return old;
    }
    const inode = new Inode();
    this.#change({ changes: [{ name, inode }] });
    return inode;
  }

  /** Both must be there. */
  remove(name: string): void {
    this.#forget(name);
    this.#change({ changes: [{ name, inode: null }] });
  }

  rename(from: string, to: string): void {
    const inode = this.find(from);
    if (inode === null || inode === this.find(to)) return;
    this.#forget(to);
    this.#change({
      changes: [
        { name: from, inode: null },
        { name: to, inode },
      ],
    });
  }

  close(inode: Inode): void {
    inode.openCount--;
    if (inode.openCount === 0) this.#nameless.delete(inode);
  }

  /** Ends a sync of the directory. A failed one leaves it open what later ones cover, as with the content of files. */
  syncNames(succeeded: boolean): void {
    this.#journal.endSync(this.#journal.mark, succeeded, (effect) => apply(this.#durableNames, effect));
  }

  #forget(name: string): void {
    const inode = this.find(name);
    if (inode !== null && inode.openCount > 0) this.#nameless.add(inode);
  }

  #change(effect: NameEffect): void {
    apply(this.#names, effect);
    this.#journal.add(effect);
  }

  /** The disk after the death of the process: everything is there, and what was not durable still is not. */
  afterKill(): SimulatedDisk {
    const copies = new Map<Inode, Inode>();
    const copyOf = (inode: Inode): Inode => {
      const copy = copies.get(inode) ?? inode.copy();
      copies.set(inode, copy);
      return copy;
    };
    const copyNames = (names: Map<string, Inode>): Map<string, Inode> =>
      new Map(Array.from(names, ([name, inode]) => [name, copyOf(inode)]));
    const journal = this.#journal.forNextProcess(({ changes }) => ({
      changes: changes.map(({ name, inode }) => ({ name, inode: inode === null ? null : copyOf(inode) })),
    }));
    return new SimulatedDisk(copyNames(this.#names), copyNames(this.#durableNames), journal);
  }

  /** One of the disks that a power failure may leave. Everything on it is durable. */
  afterPowerFailure(random: Random, order: NameOrder): SimulatedDisk {
    const names = new Map(this.#durableNames);
    const { entries } = this.#journal;
    // A journal is written in order, so whatever precedes a synced change is there too.
    const first = entries.findLastIndex(({ fate }) => fate === 'synced') + 1;
    const kept = entries.length - Math.floor(random() * (entries.length - first + 1));
    for (const [index, { effect, fate }] of entries.entries()) {
      const isKept = order === 'prefix' ? index < kept : fate === 'synced' || random() < 0.5;
      if (isKept) apply(names, effect);
    }
    return new SimulatedDisk(new Map(Array.from(names, ([name, inode]) => [name, inode.afterPowerFailure(random)])));
  }
}
