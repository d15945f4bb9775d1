/**
 * What a read may take, as the code that evaluates it sees it: asked in every long loop, told what is to come.
 *
 * Implemented where threads meet (channel/slot-budget.ts). All calls may throw ReadStopped; one that
 * comes midway leaves scratch memory as it was in the middle of the read, and whoever began the read clears it.
 */

export interface ReadBudget {
  /** Called between chunks, and at least every CHECK_EVERY steps of every other loop. */
  check(): void;
  /** Tells how many terms of dictionaries are about to be looked at, about, beside those that were typed. */
  expectTerms(count: number): void;
  /** Tells what evaluating the read will take, about, in microseconds: once its tokens are expanded. */
  expectCost(us: number): void;
  /**
   * Tells how long its answer will be, in bytes, before more of it is written than fits where it is written to; again, when it will be
   * longer than was told.
   */
  expectBytes(bytes: number): void;
  /** Tells how many bytes of texts or documents are about to be gone through without a look at the budget: some nanoseconds each. */
  expectScan(bytes: number): void;
}

/** Steps of some nanoseconds each between two looks: a power of two. Together they take about a millisecond at most. */
export const CHECK_EVERY = 1 << 14;

/** @internal A budget without an end, for tests and benchmarks. */
export const NO_LIMIT: ReadBudget = {
  check() {},
  expectTerms() {},
  expectCost() {},
  expectBytes() {},
  expectScan() {},
};
