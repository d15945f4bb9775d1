/**
 * Tells those whose writes this node has applied: only they wait for it. The rest learn it by its lease, some times in its time. Used by
 * cluster-member.ts.
 */

/** Places in the log of the messages of one node that it was not told of: all that matters is the first and the last. */
interface Untold {
  readonly first: number;
  readonly last: number;
}

export class ProgressTeller {
  readonly #self: string;
  readonly #untold = new Map<string, Untold>();

  /** `self`: the name of this node, which need not be told. */
  constructor(self: string) {
    this.#self = self;
  }

  /** A message of `node` has come, behind all that came before. */
  note(sequence: number, node: string): void {
    if (node !== this.#self)
      this.#untold.set(node, { first: this.#untold.get(node)?.first ?? sequence, last: sequence });
  }

  /** This node has applied all up to `sequence`: `tell` is called for each node that may wait for it. */
  apply(sequence: number, tell: (node: string) => unknown): void {
    for (const [node, { first, last }] of this.#untold) {
      if (first > sequence) continue;
      tell(node);
      if (last <= sequence) this.#untold.delete(node);
      else this.#untold.set(node, { first: sequence + 1, last });
    }
  }
}
