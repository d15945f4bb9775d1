/**
 * The stream-summary of the Space-Saving algorithm: finds the most frequent items of a stream in bounded memory.
 *
 * (Metwally, Agrawal, El Abbadi, "Efficient computation of frequent and top-k elements in data streams", ICDT 2005.)
 * Nodes with the same count share a bucket; buckets form a list in ascending order of count, so that counting and
 * evicting take constant time. Which item a node stands for is the caller's business.
 */

interface Bucket {
  readonly count: number;
  /** Least recently counted node; evicted first. */
  first: SummaryNode | null;
  last: SummaryNode | null;
  /** The bucket of the next smaller count. */
  below: Bucket | null;
  above: Bucket | null;
}

/** One monitored item. Callers extend it with what they know about the item; the links belong to the summary. */
export class SummaryNode {
  bucket: Bucket | null = null;
  previous: SummaryNode | null = null;
  next: SummaryNode | null = null;
  /** How much `count` may exceed the true number of occurrences. */
  error = 0;

  /** Estimated occurrences: at least the true number, and at most that plus `error`. 0 when not monitored. */
  get count(): number {
    return this.bucket === null ? 0 : this.bucket.count;
  }
}

export class StreamSummary<Node extends SummaryNode> {
  readonly capacity: number;
  #size = 0;
  #lowest: Bucket | null = null;

  /** Monitors at most `capacity` nodes, at least 1. */
  constructor(capacity: number) {
    this.capacity = capacity;
  }

  /** Nodes monitored now. */
  get size(): number {
    return this.#size;
  }

  /**
   * Monitors `node`, seen for the first time, and counts it once.
   *
   * When the summary is full, the node with the smallest count (of several, the least recently counted) gives way and is
   * returned; the new node inherits its count as `error`. Otherwise returns null.
   */
  insert(node: Node): Node | null {
    let evicted: Node | null = null;
    let inherited = 0;
    if (this.#size === this.capacity) {
      evicted = this.#lowest?.first as Node;
      inherited = evicted.count;
      this.remove(evicted);
    }
    node.error = inherited;
    this.#size += 1;
    this.#append(node, inherited + 1, this.#highestUpTo(inherited));
    return evicted;
  }

  /** Counts the monitored `node` once more. */
  increment(node: Node): void {
    const bucket = node.bucket as Bucket;
    const below = bucket.first === node && bucket.last === node ? bucket.below : bucket;
    this.#detach(node);
    this.#append(node, bucket.count + 1, below);
  }

  /** Stops monitoring `node`. */
  remove(node: Node): void {
    this.#detach(node);
    this.#size -= 1;
  }

  /** The bucket after which one of count + 1 belongs. Near the low end: new nodes start at the lowest count. */
  #highestUpTo(count: number): Bucket | null {
    let found: Bucket | null = null;
    for (let bucket = this.#lowest; bucket !== null && bucket.count <= count; bucket = bucket.above) found = bucket;
    return found;
  }

  /** Puts `node` last in the bucket of `count`, which is the one above `below` or is made there. */
  #append(node: Node, count: number, below: Bucket | null): void {
    const above = below === null ? this.#lowest : below.above;
    const bucket = above !== null && above.count === count ? above : this.#createBucket(count, below, above);
    node.bucket = bucket;
    node.previous = bucket.last;
    node.next = null;
    if (bucket.last === null) bucket.first = node;
    else bucket.last.next = node;
    bucket.last = node;
  }

  #createBucket(count: number, below: Bucket | null, above: Bucket | null): Bucket {
    const bucket: Bucket = { count, first: null, last: null, below, above };
    if (below === null) this.#lowest = bucket;
    else below.above = bucket;
    if (above !== null) above.below = bucket;
    return bucket;
  }

  #detach(node: Node): void {
    const bucket = node.bucket as Bucket;
    if (node.previous === null) bucket.first = node.next;
    else node.previous.next = node.next;
    if (node.next === null) bucket.last = node.previous;
    else node.next.previous = node.previous;
    node.bucket = null;
    if (bucket.first !== null) return;
    if (bucket.below === null) this.#lowest = bucket.above;
    else bucket.below.above = bucket.above;
    if (bucket.above !== null) bucket.above.below = bucket.below;
  }
}
