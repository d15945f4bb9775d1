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
import type { ArenaBinding } from '../../memory/kernel-instance.js';
import { idf } from '../../postings/impacts.js';
import type { SearchableSegment } from '../../segment/searchable-segment.js';
import { type EntryRanges, rangesIn } from '../expand/segment-ranges.js';
import { type Expansion, WEIGHTS } from '../expand/token-expansion.js';
import type { FieldMap } from '../field-map.js';
import { allocateScratch, noRoom } from '../scratch-memory.js';
import type { MatchingGround } from './matching-ground.js';

const RANGE_WORDS = PLAN_RANGE_BYTES >> 2;

/** A plan, its weights and its scales lie one after the other. */
const WEIGHTS_AT = PLAN_BYTES;
const SCALES_AT = WEIGHTS_AT + PLAN_WEIGHTS_MAX * 4;

/** Bytes that writePlan() writes to, a multiple of 16. */
export const planBytes = (fields: FieldMap): number => (SCALES_AT + fields.count * 4 + 15) & ~15;

/**
 * Writes what the plan of a token has in common in all segments of an arena to the address `plan`. `df` is the token's
 * document frequency, and scores are multiplied by `factor`.
 */
export function writePlan(binding: ArenaBinding, plan: number, fields: FieldMap, df: number, factor: number): void {
  const { u32, f32, ptr } = binding.scratch;
  const word = (plan - ptr) >> 2;
  u32[word + (PLAN_FIELD_MAP >> 2)] = fields.ptr(binding);
  u32[word + (PLAN_FIELD_COUNT >> 2)] = fields.count;
  u32[word + (PLAN_CHUNK_LOW >> 2)] = 0;
  u32[word + (PLAN_WEIGHTS >> 2)] = plan + WEIGHTS_AT;
  u32[word + (PLAN_SCALES >> 2)] = plan + SCALES_AT;
  u32[word + (PLAN_LUT >> 2)] = fields.tablesPtr(binding);
  u32[word + (PLAN_SPARE >> 2)] = ptr + SCRATCH_OUT_SCORES;
  for (let i = 0; i < WEIGHTS.length; i++) f32[word + (WEIGHTS_AT >> 2) + i] = WEIGHTS[i];
  const scale = idf(fields.documents, Math.min(df, fields.documents)) * factor;
  for (let i = 0; i < fields.count; i++) f32[word + (SCALES_AT >> 2) + i] = fields.scaleOf(i, scale);
}

/**
 * Makes the plan of `ranges` for every chunk of the segment and returns its address; the rest as for writePlan(). Errors:
 * overloaded when the scratch heap cannot hold it.
 */
export function makeTokenPlan(
  segment: SearchableSegment,
  ranges: EntryRanges,
  fields: FieldMap,
  df: number,
  factor: number,
): number {
  const { binding, reader } = segment;
  const { heap } = binding;
  const { u32, ptr } = binding.scratch;
  const head = planBytes(fields);
  const plan = allocateScratch(binding, head + ranges.length * 4);
  writePlan(binding, plan, fields, df, factor);
  const word = (plan - ptr) >> 2;
  u32[word + (PLAN_SEGMENT >> 2)] = reader.views.region.ptr;
  u32[word + (PLAN_ENTRIES >> 2)] = reader.postings.entriesPtr;
  u32[word + (PLAN_CHUNK_HIGH >> 2)] = Math.ceil(reader.maxDoc / CHUNK_DOCS);
  u32[word + (PLAN_RANGES >> 2)] = plan + head;
  u32[word + (PLAN_RANGE_COUNT >> 2)] = ranges.length / RANGE_WORDS;
  for (let i = 0; i < ranges.length; i++) u32[word + (head >> 2) + i] = ranges[i];
  const end = binding.kernels.makePlan(plan, heap.mark(), heap.end) >>> 0;
  if (end === 0) throw noRoom();
  heap.takeUpTo(end);
  return plan;
}

/** A token in one segment, planned when a chunk first needs it: where tokens before it match nothing, it never is. */
export class PlannedToken {
  readonly #expansion: Expansion;
  readonly #ground: MatchingGround;
  readonly #factor: number;
  #plan = 0;

  /** Scores are multiplied by `factor`. */
  constructor(expansion: Expansion, ground: MatchingGround, factor: number) {
    this.#expansion = expansion;
    this.#ground = ground;
    this.#factor = factor;
  }

  /** Address of its plan. Takes memory from the heap of the segment's arena. Errors: overloaded. */
  get plan(): number {
    if (this.#plan === 0) {
      const { ranges, df } = this.#expansion;
      const { segment, index, map } = this.#ground;
      this.#plan = makeTokenPlan(segment, rangesIn(ranges, index), map, df, this.#factor);
    }
    return this.#plan;
  }

  /** Whether it is known without a plan being made that no document of `chunk` holds any of its terms. */
  cannotMatch(chunk: number): boolean {
    const { segment } = this.#ground;
    return this.#plan !== 0 && segment.binding.kernels.chunkHasPostings(this.#plan, chunk) === 0;
  }
}
