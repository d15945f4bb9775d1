/**
 * Of what facets/ has counted by group: how many groups there are, and how many matches some of them have.
 *
 * Called by distinct-hits.ts once a search. A run holds each value of its segment once.
 */
import { hashWords } from '../../core/hash-words.js';
import { compareEntries, idHi, idLo, type ValueRun } from '../facets/value-run.js';
import { CHECK_EVERY, type ReadBudget } from '../read-budget.js';
import { codeIn, type GroupValue } from './group-value.js';

/** Documents that have a value. */
export function documentsOf(runs: readonly ValueRun[]): number {
  let documents = 0;
  for (const { counts, size } of runs) for (let entry = 0; entry < size; entry++) documents += counts[entry];
  return documents;
}

/** Distinct values of `runs`, all of one field. Errors: those of `budget`. */
export function countValues(runs: readonly ValueRun[], budget: ReadBudget): number {
  if (runs.length < 2) return runs.length === 0 ? 0 : runs[0].size;
  let entries = 0;
  for (const { size } of runs) entries += size;
  let slotCount = 1024;
  while (slotCount < 2 * entries) slotCount *= 2;
  /** Where the values that were met occur: run + 1, 0 for a free slot, and entry. */
  const slotRuns = new Uint32Array(slotCount);
  const slotEntries = new Uint32Array(slotCount);
  let values = 0;
  for (const [r, run] of runs.entries()) {
    for (let entry = 0; entry < run.size; entry++) {
      if ((entry & (CHECK_EVERY - 1)) === 0) budget.check();
      let slot = hashWords(idLo(run, entry), idHi(run, entry)) & (slotCount - 1);
      while (slotRuns[slot] !== 0 && !isSame(run, entry, runs[slotRuns[slot] - 1], slotEntries[slot]))
        slot = (slot + 1) & (slotCount - 1);
      if (slotRuns[slot] !== 0) continue;
      slotRuns[slot] = r + 1;
      slotEntries[slot] = entry;
      values++;
    }
  }
  return values;
}

/** Whether both entries have the same value: bytes are compared where 64-bit hashes are equal. */
function isSame(a: ValueRun, i: number, b: ValueRun, j: number): boolean {
  if (idLo(a, i) !== idLo(b, j) || idHi(a, i) !== idHi(b, j)) return false;
  return a.dictHashes.length === 0 || compareEntries(a, i, b, j) === 0;
}

/** By index of `groups`, distinct values: how many matches have the value; 1 for one without a value. Errors: those of `budget`. */
export function countGroups(
  groups: readonly (GroupValue | null)[],
  runs: readonly ValueRun[],
  budget: ReadBudget,
): Uint32Array {
  const counts = Uint32Array.from(groups, (value) => (value === null ? 1 : 0));
  for (const run of runs) {
    const wanted = wantedOf(groups, run);
    const isKeyword = run.column.kind === 'keyword';
    for (let entry = 0; entry < run.size; entry++) {
      if ((entry & (CHECK_EVERY - 1)) === 0) budget.check();
      const index = wanted.get(isKeyword ? 0 : run.hi[entry])?.get(run.lo[entry]);
      if (index !== undefined) counts[index] += run.counts[entry];
    }
  }
  return counts;
}

/**
 * The indexes of `groups` by the halves, the high one first, of what their value is in `run`: whole numbers of a float field have
 * no bit in the low one. Codes of keywords have no high half.
 */
function wantedOf(groups: readonly (GroupValue | null)[], { column }: ValueRun): Map<number, Map<number, number>> {
  const wanted = new Map<number, Map<number, number>>();
  for (const [index, value] of groups.entries()) {
    if (value === null) continue;
    const isKeyword = column.kind === 'keyword';
    const lo = isKeyword ? codeIn(column, value)?.lo : value.lo;
    if (lo === undefined) continue;
    const hi = isKeyword ? 0 : value.hi;
    const others = wanted.get(hi);
    if (others === undefined) wanted.set(hi, new Map([[lo, index]]));
    else others.set(lo, index);
  }
  return wanted;
}
