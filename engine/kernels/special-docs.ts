/**
 * Offers the special documents of a union of lists: each scores by the best of its lists, which it takes the weights to tell. For
 * kernels/list-sweep.ts alone; exports nothing to JavaScript. Layouts: layout/list-union.ts, layout/sweep.ts.
 */
import {
  SPECIAL_COUNT,
  SPECIAL_DOCS,
  SPECIAL_DOC_BYTES,
  SPECIAL_IMPACTS,
  SPECIAL_WEIGHTS,
  SPECIAL_WEIGHTS_MAX,
} from '../layout/list-union';
import { ENTRY_LIST } from '../layout/postings';
import { CHUNK_DOCS, SCRATCH_ACC, SCRATCH_LIST_A } from '../layout/scratch';
import { ROW_MAX_DOC, ROW_ORDER_BASE, ROW_SEGMENT, SWEEP_PLANS, SWEEP_SCALE, SWEEP_SCRATCH, SWEEP_TOP } from '../layout/sweep';
import { PLAN_WEIGHTS } from '../layout/token-plan';
import { filterList } from './doc-lists';
import { passingOf } from './passing';
import { offerScores } from './score-top';

/** What a document with the impacts u8[] at `impacts` scores by the best of its lists, of which `indexes` names the weights. */
function scoreOf(weights: usize, scale: f32, lut: usize, indexes: usize, impacts: usize): f32 {
  let best: f32 = 0;
  for (let i: usize = 0; i < <usize>SPECIAL_WEIGHTS_MAX; i++) {
    const impact = <usize>load<u8>(impacts + i);
    if (impact == 0) continue;
    const weight = load<f32>(weights + (<usize>load<u8>(indexes + i) << 2)) * scale;
    best = max(best, weight * load<f32>(lut + (impact << 2)));
  }
  return best;
}

/** Offers those of `entry`, of the segment of `row`, that may match. `lut`: the score table of its field. */
export function offerSpecial(sweep: usize, row: usize, entry: usize, lut: usize): void {
  const scratch = <usize>load<u32>(sweep, SWEEP_SCRATCH);
  const acc = scratch + SCRATCH_ACC;
  const list = scratch + SCRATCH_LIST_A;
  const special = <usize>load<u32>(row, ROW_SEGMENT) + load<u32>(entry, ENTRY_LIST);
  const weights = <usize>load<u32>(<usize>load<u32>(sweep, SWEEP_PLANS), PLAN_WEIGHTS);
  const scale = load<f32>(sweep, SWEEP_SCALE);
  const maxDoc = load<u32>(row, ROW_MAX_DOC);
  let at = special + SPECIAL_DOCS;
  const end = at + <usize>load<u32>(special, SPECIAL_COUNT) * SPECIAL_DOC_BYTES;
  while (at < end && load<u32>(at) < maxDoc) {
    const chunk = load<u32>(at) / CHUNK_DOCS;
    let n: u32 = 0;
    for (; at < end && load<u32>(at) / CHUNK_DOCS == chunk; at += SPECIAL_DOC_BYTES) {
      const d = load<u32>(at) % CHUNK_DOCS;
      store<u16>(list + (<usize>n << 1), <u16>d);
      n++;
      store<f32>(acc + (<usize>d << 2), scoreOf(weights, scale, lut, special + SPECIAL_WEIGHTS, at + SPECIAL_IMPACTS));
    }
    n = filterList(list, n, passingOf(sweep, row, chunk), 0);
    if (n > 0) offerScores(<usize>load<u32>(sweep, SWEEP_TOP), load<u32>(row, ROW_ORDER_BASE) + chunk * CHUNK_DOCS, list, n, acc);
  }
}
