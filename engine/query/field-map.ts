/**
 * The queried fields as kernels want them: a byte per schema field in the scratch memory of each arena, naming its place
 * among the queried fields, and a score table per queried field at the collection's current average length.
 *
 * One object per reader thread; begin() once per search. It owns the LUT area and a fixed corner of TOKEN.
 */
import { FIELDS_MAX } from '../core/limits.js';
import { SCRATCH_LUT, SCRATCH_TOKEN } from '../layout/scratch.js';
import { PLAN_NO_FIELD } from '../layout/token-plan.js';
import type { ArenaBinding } from '../memory/kernel-instance.js';
import { dropLongerClasses, makeBoundTable, makeImpactTable } from '../postings/impacts.js';
import type { SearchableSegment } from '../segment/searchable-segment.js';
import type { QueriedFields } from './parse-search.js';

/** Past the bytes that term expansion uses. */
const MAP_OFFSET = SCRATCH_TOKEN + 6144;

/** Keeps a huge boost from overflowing a 32-bit float. */
const SCALE_MAX = 1e30;
/** A boost below is taken for 0, so that no score is a denormal: kernels tell 0 from the smallest normal number. */
const SCALE_MIN = 1e-30;

/** Names the fields and tables that lie in the scratch memory of an arena now. */
const stamps = new WeakMap<ArenaBinding, number>();
let nextStamp = 1;

export class FieldMap {
  #fields: QueriedFields = { indexes: [], boosts: [] };
  /** Live documents of all segments: the N of idf. */
  documents = 0;
  /** Whether no document is known to hold several values of a queried field, nor may. */
  areSurelySingle = false;
  readonly #tables = new Float32Array(FIELDS_MAX * 256);
  readonly #bounds = new Float32Array(FIELDS_MAX * 256);
  /** The average length that each table was made for; a table is kept from search to search while it holds. */
  readonly #averages = new Float64Array(FIELDS_MAX);
  /** The length of the longest field that it was made for. */
  readonly #lengthMaxima = new Float64Array(FIELDS_MAX);
  /** What the fields and tables were made for; empty until they are. */
  readonly #segments: SearchableSegment[] = [];
  #stamp = 0;

  /** Starts a search on `fields` over `segments`: those of the search before, mostly. */
  begin(fields: QueriedFields, segments: readonly SearchableSegment[]): void {
    if (this.#isMadeOf(fields, segments)) return;
    this.#segments.length = 0;
    this.#stamp = nextStamp++;
    this.#fields = fields;
    this.documents = 0;
    this.areSurelySingle = true;
    for (const { liveCount, reader } of segments) {
      this.documents += liveCount;
      for (const field of fields.indexes) if (reader.arrayDocuments(field)?.length !== 0) this.areSurelySingle = false;
    }
    fields.indexes.forEach((field, i) => {
      let tokens = 0;
      let documents = 0;
      let lengthMax = 0;
      for (const segment of segments) {
        tokens += segment.fieldTokens(field);
        documents += segment.fieldDocCount(field);
        lengthMax = Math.max(lengthMax, segment.reader.fieldLengthMax(field));
      }
      // A document that counts has a token at least, and only sums of damaged bytes say otherwise.
      const averageLength = documents > 0 && tokens > documents ? tokens / documents : 1;
      if (this.#averages[i] === averageLength && this.#lengthMaxima[i] === lengthMax) return;
      this.#averages[i] = averageLength;
      this.#lengthMaxima[i] = lengthMax;
      makeImpactTable(averageLength, this.#tables, i * 256);
      dropLongerClasses(lengthMax, this.#tables, i * 256);
      makeBoundTable(this.#tables, this.#bounds, i * 256);
    });
    for (const segment of segments) this.#segments.push(segment);
  }

  get count(): number {
    return this.#fields.indexes.length;
  }

  /** The queried fields, as indexes into the schema's. */
  get indexes(): readonly number[] {
    return this.#fields.indexes;
  }

  /** Place of schema field `field` among the queried ones, or -1. */
  placeOf(field: number): number {
    return this.#fields.indexes.indexOf(field);
  }

  /**
   * The factor from the tf part of a score to the score, in queried field i, for a token whose inverse document frequency
   * and whatever else its score is multiplied by make `factor`.
   */
  scaleOf(i: number, factor: number): number {
    const scale = this.#fields.boosts[i] * factor;
    return scale < SCALE_MIN ? 0 : Math.min(scale, SCALE_MAX);
  }

  /** The tf part of a score of `impact` in queried field i, a 32-bit float. */
  tfPart(i: number, impact: number): number {
    return this.#tables[i * 256 + impact];
  }

  /** The average length of queried field i, in tokens, over the documents that have any in it. */
  averageLength(i: number): number {
    return this.#averages[i];
  }

  /** Absolute address of the byte map in the arena of `binding`. */
  ptr(binding: ArenaBinding): number {
    this.#bind(binding);
    return binding.scratch.ptr + MAP_OFFSET;
  }

  /** Absolute address of the score tables, f32[count][256]. */
  tablesPtr(binding: ArenaBinding): number {
    this.#bind(binding);
    return binding.scratch.ptr + SCRATCH_LUT;
  }

  /** Of queried field i: the largest score of any impact up to the index. */
  bounds(i: number): Float32Array {
    return this.#bounds.subarray(i * 256, i * 256 + 256);
  }

  #isMadeOf(fields: QueriedFields, segments: readonly SearchableSegment[]): boolean {
    if (fields !== this.#fields || segments.length !== this.#segments.length) return false;
    for (let s = 0; s < segments.length; s++) if (segments[s] !== this.#segments[s]) return false;
    return true;
  }

  #bind(binding: ArenaBinding): void {
    if (stamps.get(binding) === this.#stamp) return;
    stamps.set(binding, this.#stamp);
    const { u8, f32 } = binding.scratch;
    u8.fill(PLAN_NO_FIELD, MAP_OFFSET, MAP_OFFSET + FIELDS_MAX);
    this.#fields.indexes.forEach((field, i) => {
      u8[MAP_OFFSET + field] = i;
    });
    f32.set(this.#tables.subarray(0, this.count * 256), SCRATCH_LUT >> 2);
  }
}
