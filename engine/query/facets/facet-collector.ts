/**
 * Counts the values of the facet fields over all matches of a query, and writes the `facets` of its response.
 *
 * Owned by a reader thread and reused from query to query: begin, then per segment beginSegment, collectChunk for each
 * chunk with matches, endSegment, and at last writeJson. Counts are exact; a document counts once a value.
 */

import type { JsonWriter } from '../../documents/json-writer.js';
import type { CollectionSchema, FieldType } from '../../schema/collection-schema.js';
import { floatOfKey, formatIntKey } from '../../values/number-keys.js';
import type { ReadBudget } from '../read-budget.js';
import type { SortSource } from '../sort/sort-source.js';
import { RunJoin } from './join-runs.js';
import { SegmentCounts } from './segment-counts.js';
import { ValueRun } from './value-run.js';

/** Entries of runs kept for the next query, 16 bytes each at most. */
const KEPT_ENTRIES_MAX = 1 << 19;
/** Fields whose counters are kept, 96 KiB each at most. */
const KEPT_FIELDS_MAX = 16;

interface FacetField {
  readonly index: number;
  readonly name: string;
  readonly type: FieldType;
  readonly runs: ValueRun[];
}

export class FacetCollector {
  #fields: FacetField[] = [];
  /** By position in #fields; kept from query to query, as are the runs. */
  readonly #counts: SegmentCounts[] = [];
  #spareRuns: ValueRun[] = [];
  readonly #join: RunJoin;
  readonly #budget: ReadBudget;

  constructor(budget: ReadBudget) {
    this.#budget = budget;
    this.#join = new RunJoin(budget);
  }

  /** Starts a query for the facets of the schema's fields at indexes `fields`. */
  begin(fields: readonly number[], schema: CollectionSchema): void {
    this.#keepRuns();
    this.#fields = fields.map((index) => ({
      index,
      name: schema.fields[index].name,
      type: schema.fields[index].type,
      runs: [],
    }));
    while (this.#counts.length < fields.length) this.#counts.push(new SegmentCounts());
  }

  /**
   * Goes on to a segment. Takes at most half of what is free of its heap a field, until endSegment; its columns must
   * stay readable until writeJson.
   */
  beginSegment(source: SortSource): void {
    for (let i = 0; i < this.#fields.length; i++) {
      this.#counts[i].begin(source.column(this.#fields[i].index), source.binding);
    }
  }

  /**
   * Adds `count` matching documents, distinct u16 within the chunk that begins at document `chunkBase`, at absolute
   * address `listPtr` in the thread's scratch.
   */
  collectChunk(chunkBase: number, listPtr: number, count: number): void {
    for (let i = 0; i < this.#fields.length; i++) {
      this.#budget.check();
      this.#counts[i].collect(chunkBase, listPtr, count);
    }
  }

  endSegment(): void {
    for (let i = 0; i < this.#fields.length; i++) {
      const counts = this.#counts[i];
      if (!counts.hasColumn) continue;
      this.#budget.check();
      const run = this.#spareRuns.pop() ?? new ValueRun();
      counts.end(run);
      if (run.size > 0) this.#fields[i].runs.push(run);
      else this.#spareRuns.push(run);
    }
  }

  /**
   * Ends the query: appends `{"field":{"value":count,...},...}`, the fields as given to begin, each with its most
   * frequent values by falling count, then rising value.
   */
  writeJson(writer: JsonWriter): void {
    writer.raw('{');
    for (let i = 0; i < this.#fields.length; i++) {
      if (i > 0) writer.raw(',');
      writer.string(this.#fields[i].name);
      writer.raw(':{');
      this.#writeValues(writer, this.#fields[i]);
      writer.raw('}');
    }
    writer.raw('}');
    this.#keepRuns();
  }

  #writeValues(writer: JsonWriter, field: FacetField): void {
    if (field.runs.length === 0) return;
    const join = this.#join;
    const found = join.findTop(field.runs, field.runs.length);
    for (let rank = 0; rank < found; rank++) {
      if (rank > 0) writer.raw(',');
      writeValue(writer, field, field.runs[join.topRuns[rank]], join.topEntries[rank]);
      writer.raw(':');
      writer.integer(join.topCounts[rank]);
    }
  }

  /** Takes back the runs of the last query, as far as there is room for them. */
  #keepRuns(): void {
    for (const { runs } of this.#fields) this.#spareRuns.push(...runs);
    this.#fields = [];
    this.#counts.length = Math.min(this.#counts.length, KEPT_FIELDS_MAX);
    let entries = 0;
    this.#spareRuns = this.#spareRuns.filter((run) => {
      run.release();
      entries += run.counts.length;
      return entries <= KEPT_ENTRIES_MAX;
    });
  }
}

/** Writes the value of an entry as the name of a JSON member. */
function writeValue(writer: JsonWriter, field: FacetField, run: ValueRun, entry: number): void {
  const lo = run.lo[entry];
  if (field.type === 'keyword' || field.type === 'text') {
    const { column } = run;
    writer.stringBytes(column.views.u8, column.dictStart(lo), column.dictEnd(lo));
    return;
  }
  const hi = run.hi[entry];
  if (field.type === 'bool') writer.string(lo === 1 ? 'true' : 'false');
  else writer.string(field.type === 'float' ? String(floatOfKey(hi, lo)) : formatIntKey(hi, lo));
}
