/**
 * Lays a token's postings out by chunk and field in scratch memory (layout/token-plan.ts), so that scoring a chunk
 * touches only what lies in it. Made per token and segment from its expansion.
 */
import { CHUNK_DOCS, SCRATCH_OUT_SCORES } from '../../layout/scratch.js';
import {
  PLAN_BYTES,
  PLAN_CHUNK_HIGH,
  PLAN_CHUNK_LOW,
  PLAN_ENTRIES,
  PLAN_FIELD_COUNT,
  PLAN_FIELD_MAP,
  PLAN_ITEM_BYTES,
  PLAN_ITEM_STARTS,
  PLAN_ITEMS,
  PLAN_LOOSE,
  PLAN_LOOSE_STARTS,
  PLAN_LUT,
  PLAN_RANGE_BYTES,
  PLAN_RANGE_COUNT,
  PLAN_RANGES,
  PLAN_SCALES,
  PLAN_SEGMENT,
  PLAN_SPARE,
  PLAN_WEIGHTS,
  PLAN_WEIGHTS_MAX,
} from '../../layout/token-plan.js';
import { idf } from '../../postings/impacts.js';
import type { SearchableSegment } from '../../segment/searchable-segment.js';
import type { EntryRanges } from '../expand/segment-ranges.js';
import { WEIGHTS } from '../expand/token-expansion.js';
import type { FieldMap } from '../field-map.js';
import { allocateScratch } from '../scratch-memory.js';

/**
 * Makes the plan of `ranges` for every chunk of the segment and returns its address. `df` is the token's document
 * frequency, and scores are multiplied by `factor`. Errors: overloaded when the scratch heap cannot hold it.
 */
export function makeTokenPlan(
  segment: SearchableSegment,
  ranges: EntryRanges,
  fields: FieldMap,
  df: number,
  factor: number,
): number {
  const { binding, reader } = segment;
  const { u32, f32, u8, ptr: scratchPtr } = binding.scratch;
  const chunks = Math.ceil(reader.maxDoc / CHUNK_DOCS);
  const buckets = chunks * fields.count;
  const plan = allocateScratch(binding, PLAN_BYTES);
  const startsBytes = (buckets + 1) * 4;
  const starts = allocateScratch(binding, startsBytes * 2);
  const rangesPtr = allocateScratch(binding, (ranges.length / 3) * PLAN_RANGE_BYTES);
  const weights = allocateScratch(binding, (PLAN_WEIGHTS_MAX + fields.count) * 4);
  const scales = weights + PLAN_WEIGHTS_MAX * 4;
  u8.fill(0, starts - scratchPtr, starts - scratchPtr + startsBytes * 2);
  u32.set(ranges, (rangesPtr - scratchPtr) >> 2);
  f32.set(WEIGHTS, (weights - scratchPtr) >> 2);
  const tokenIdf = idf(fields.documents, Math.min(df, fields.documents));
  for (let i = 0; i < fields.count; i++) f32[((scales - scratchPtr) >> 2) + i] = fields.scaleOf(i, tokenIdf * factor);

  const word = (plan - scratchPtr) >> 2;
  u32[word + (PLAN_SEGMENT >> 2)] = reader.views.region.ptr;
  u32[word + (PLAN_ENTRIES >> 2)] = reader.postings.entriesPtr;
  u32[word + (PLAN_FIELD_MAP >> 2)] = fields.ptr(binding);
  u32[word + (PLAN_FIELD_COUNT >> 2)] = fields.count;
  u32[word + (PLAN_CHUNK_LOW >> 2)] = 0;
  u32[word + (PLAN_CHUNK_HIGH >> 2)] = chunks;
  u32[word + (PLAN_RANGES >> 2)] = rangesPtr;
  u32[word + (PLAN_RANGE_COUNT >> 2)] = ranges.length / 3;
  u32[word + (PLAN_ITEM_STARTS >> 2)] = starts;
  u32[word + (PLAN_LOOSE_STARTS >> 2)] = starts + startsBytes;
  u32[word + (PLAN_WEIGHTS >> 2)] = weights;
  u32[word + (PLAN_SCALES >> 2)] = scales;
  u32[word + (PLAN_LUT >> 2)] = fields.tablesPtr(binding);
  u32[word + (PLAN_SPARE >> 2)] = scratchPtr + SCRATCH_OUT_SCORES;
  binding.kernels.planCount(plan);
  const items = u32[((starts - scratchPtr) >> 2) + buckets];
  const loose = u32[((starts + startsBytes - scratchPtr) >> 2) + buckets];
  u32[word + (PLAN_ITEMS >> 2)] = allocateScratch(binding, items * PLAN_ITEM_BYTES);
  u32[word + (PLAN_LOOSE >> 2)] = allocateScratch(binding, loose * 4);
  binding.kernels.planFill(plan);
  return plan;
}
