/**
 * Which lists the only clause of a sweep reads in a segment, where those are one, or a union with a list that weighs more inside. For
 * kernels/list-sweep.ts alone; exports nothing to JavaScript. Layouts: layout/sweep.ts, layout/list-union.ts.
 */
import { JUDGE_IS_RELATED } from '../layout/judge';
import { UNION_ALL, UNION_BETTER, UNION_OUTLINE, UNION_SPECIAL } from '../layout/list-union';
import {
  ENTRY_BYTES,
  ENTRY_FIELD,
  ENTRY_KIND,
  ENTRY_KIND_CHUNKED,
  ENTRY_LIST,
  ENTRY_POSITIONS,
  ENTRY_SIGNED,
} from '../layout/postings';
import {
  ROW_ENTRIES,
  ROW_PREFIX_ENTRIES,
  ROW_SEGMENT,
  SWEEP_BETTER,
  SWEEP_COMPLETED,
  SWEEP_INNER,
  SWEEP_INNER_WEIGHT,
  SWEEP_IS_SIGNED,
  SWEEP_JUDGE,
  SWEEP_MORE,
  SWEEP_MORE_COUNT,
  SWEEP_MORE_MAX,
  SWEEP_OUTER,
  SWEEP_OUTER_WEIGHT,
  SWEEP_OUTLINE,
  SWEEP_PLANS,
  SWEEP_SCALE,
  SWEEP_SPECIAL,
  SWEEP_TYPED,
} from '../layout/sweep';
import {
  PLAN_FIELD_MAP,
  PLAN_LUT,
  PLAN_NO_FIELD,
  PLAN_RANGE_BYTES,
  PLAN_SCALES,
  PLAN_WEIGHTS,
  PLAN_WEIGHT_RELATED,
  PLAN_WEIGHT_TYPED,
  PLAN_WHOLE_WEIGHTS,
} from '../layout/token-plan';

/** What reading a segment returns where the clause reads other lists of it, or none. */
export const NOT_ONE_LIST: u32 = 0xffffffff;

/** A longer range of entries is more than two lists, but for fields that are not queried. */
const RANGE_ENTRIES_MAX: u32 = 8;

/**
 * Whether the entry is that of prefix postings, which follow the segment's others, or of a union that outlives queries, which
 * lies anywhere else: both hold what lists of a larger weight hold.
 */
function isUnion(entry: usize, entries: usize, prefixEntries: usize): bool {
  return entry - entries >= prefixEntries - entries;
}

/**
 * Finds the one chunked list that the sweep's only clause reads in the segment of `row`, or a union with lists that weigh more
 * inside, and notes them in the sweep; false when it reads others. At `ranges` lies where its ranges begin, then
 * where they end.
 */
export function findLists(sweep: usize, row: usize, ranges: usize): bool {
  const plan = <usize>load<u32>(sweep, SWEEP_PLANS);
  const fieldMap = <usize>load<u32>(plan, PLAN_FIELD_MAP);
  const entries = <usize>load<u32>(row, ROW_ENTRIES);
  const segment = <usize>load<u32>(row, ROW_SEGMENT);
  const rangesEnd = <usize>load<u32>(ranges, 4);
  let outer: usize = 0;
  let outerWeight: u32 = 0;
  let inner: usize = 0;
  let innerWeight: u32 = 0;
  let better: usize = 0;
  let special: usize = 0;
  let typed: usize = 0;
  let outline: usize = 0;
  let more: u32 = 0;
  const weights = <usize>load<u32>(plan, PLAN_WEIGHTS);
  for (let range = <usize>load<u32>(ranges); range < rangesEnd; range += PLAN_RANGE_BYTES) {
    const low = load<u32>(range);
    const high = load<u32>(range, 4);
    if (high - low > RANGE_ENTRIES_MAX) return false;
    for (let i = low; i < high; i++) {
      const entry = entries + <usize>i * ENTRY_BYTES;
      if (load<u8>(fieldMap + load<u8>(entry, ENTRY_FIELD)) == PLAN_NO_FIELD) continue;
      const kind: u32 = entry < entries ? load<u32>(entry, ENTRY_POSITIONS) : UNION_ALL;
      if (kind == UNION_BETTER) better = entry;
      if (kind == UNION_SPECIAL) special = entry;
      if (kind == UNION_OUTLINE) outline = segment + load<u32>(entry, ENTRY_LIST);
      if (kind == UNION_BETTER || kind == UNION_SPECIAL || kind == UNION_OUTLINE) continue;
      if (load<u8>(entry, ENTRY_KIND) != ENTRY_KIND_CHUNKED) return false;
      if (inner != 0) {
        // Those of a union come in the order of their weights, largest first.
        if (inner >= entries || outer >= entries || entry >= entries || more == SWEEP_MORE_MAX) return false;
        if (load<u8>(inner, ENTRY_FIELD) != load<u8>(entry, ENTRY_FIELD)) return false;
        const at = sweep + SWEEP_MORE + (<usize>more << 3);
        more++;
        store<u32>(at, <u32>inner);
        store<f32>(at, load<f32>(weights + (<usize>innerWeight << 2)), 4);
      }
      inner = outer;
      innerWeight = outerWeight;
      outer = entry;
      outerWeight = load<u32>(range, 8);
      if (outerWeight == PLAN_WEIGHT_TYPED) typed = entry;
    }
  }
  if (outer == 0) return false;
  let w = load<f32>(weights + (<usize>outerWeight << 2));
  let v = load<f32>(weights + (<usize>innerWeight << 2));
  if (inner != 0) {
    if (v < w) {
      const entry = inner;
      inner = outer;
      outer = entry;
      const weight = v;
      v = w;
      w = weight;
      outerWeight = innerWeight;
    }
    if (v == w || !isUnion(outer, entries, load<u32>(row, ROW_PREFIX_ENTRIES))) return false;
    if (load<u8>(inner, ENTRY_FIELD) != load<u8>(outer, ENTRY_FIELD)) return false;
  }
  const isKept = outer < entries;
  const isPrefix = outer >= <usize>load<u32>(row, ROW_PREFIX_ENTRIES);
  const isCompleted = isPrefix || (isKept && outerWeight == PLAN_WEIGHT_RELATED && !gainsByOthers(sweep));
  const isSigned = isKept && load<u8>(outer, ENTRY_SIGNED) != 0 && !gainsByOthers(sweep);
  // Where other terms give bonuses too, the list of the typed one does not tell them.
  if (isKept && !isCompleted) typed = 0;
  // The list of the only term that stands for the token does, too.
  if (inner == 0 && !isKept && ((PLAN_WHOLE_WEIGHTS >> outerWeight) & 1) != 0) typed = outer;
  const field = <usize>load<u8>(fieldMap + load<u8>(outer, ENTRY_FIELD));
  const scale = load<f32>(<usize>load<u32>(plan, PLAN_SCALES) + (field << 2));
  store<u32>(sweep, <u32>outer, SWEEP_OUTER);
  store<f32>(sweep, w * scale, SWEEP_OUTER_WEIGHT);
  store<u32>(sweep, <u32>typed, SWEEP_TYPED);
  store<u32>(sweep, <u32>inner, SWEEP_INNER);
  store<f32>(sweep, v * scale, SWEEP_INNER_WEIGHT);
  store<u32>(sweep, isCompleted ? <u32>outer : 0, SWEEP_COMPLETED);
  store<u32>(sweep, special == 0 ? <u32>better : 0, SWEEP_BETTER);
  store<u32>(sweep, <u32>special, SWEEP_SPECIAL);
  store<f32>(sweep, scale, SWEEP_SCALE);
  store<u32>(sweep, u32(isSigned), SWEEP_IS_SIGNED);
  store<u32>(sweep, <u32>outline, SWEEP_OUTLINE);
  store<u32>(sweep, more, SWEEP_MORE_COUNT);
  for (let i: u32 = 0; i < more; i++) {
    const at = sweep + SWEEP_MORE + (<usize>i << 3);
    store<f32>(at, load<f32>(at, 4) * scale, 4);
  }
  return true;
}

/** Whether documents may get bonuses for related terms of which their lists tell nothing: others than completions. */
function gainsByOthers(sweep: usize): bool {
  const judge = <usize>load<u32>(sweep, SWEEP_JUDGE);
  return judge == 0 || load<u32>(judge, JUDGE_IS_RELATED) != 0;
}

/** The score table of the field of the outer list. */
export function tableOf(sweep: usize): usize {
  const plan = <usize>load<u32>(sweep, SWEEP_PLANS);
  const field = <usize>load<u8>(<usize>load<u32>(sweep, SWEEP_OUTER), ENTRY_FIELD);
  return <usize>load<u32>(plan, PLAN_LUT) + (<usize>load<u8>(<usize>load<u32>(plan, PLAN_FIELD_MAP) + field) << 10);
}
