/**
 * Writes the values of the facet fields that are shown, and what is told of their numbers. Called by FacetCollector once all matches are
 * counted.
 */
import type { JsonWriter } from '../../documents/json-writer.js';
import type { CollectionSchema, FieldType } from '../../schema/collection-schema.js';
import type { ColumnReader } from '../../values/column-reader.js';
import type { ReadBudget } from '../read-budget.js';
import type { SortSource } from '../sort/sort-source.js';
import { keepAskedValues } from './facet-query.js';
import { describeNumbers } from './facet-stats.js';
import type { FieldNumbers } from './field-numbers.js';
import { FirstValues } from './first-values.js';
import { RunJoin } from './join-runs.js';
import { NumberedTop } from './numbered-top.js';
import { type FacetOptions, isMeasured } from './parse-facets.js';
import type { ValueNumbers } from './value-numbers.js';
import type { ValueRun } from './value-run.js';
import { writeEntries, writeValue } from './write-values.js';

/** What facets are counted of. */
export interface FacetTarget {
  readonly schema: CollectionSchema;
  /** All of them, those without a match too. */
  readonly segments: readonly SortSource[];
  readonly values: ValueNumbers;
}

/** A field whose values are counted. */
export interface FacetField {
  readonly index: number;
  readonly name: string;
  readonly type: FieldType;
  readonly runs: ValueRun[];
  /** Counters of the last segment are lent, in the place of a run. */
  isLent: boolean;
}

export class FacetValues {
  readonly #join: RunJoin;
  readonly #first = new FirstValues();
  readonly #numbered = new NumberedTop();
  readonly #budget: ReadBudget;

  constructor(budget: ReadBudget) {
    this.#budget = budget;
    this.#join = new RunJoin(budget);
  }

  /** Appends what FacetCollector.writeJson() says of `fields`. */
  writeJson(writer: JsonWriter, fields: readonly FacetField[], target: FacetTarget, options: FacetOptions): void {
    writer.raw('{');
    for (const [i, field] of fields.entries()) {
      if (i > 0) writer.raw(',');
      writer.string(field.name);
      writer.raw(':{');
      this.#writeValues(writer, field, target, options);
      writer.raw('}');
      this.#budget.expectBytes(writer.length);
    }
    writer.raw('}');
    if (options.hasStats) this.#writeStats(writer, fields);
  }

  #writeStats(writer: JsonWriter, fields: readonly FacetField[]): void {
    let key = ',"facet_stats":{';
    for (const { name, type, runs } of fields) {
      if (!isMeasured(type)) continue;
      this.#budget.check();
      writer.raw(key);
      writer.string(name);
      writer.raw(`:${describeNumbers(runs, type === 'float')}`);
      key = ',';
    }
    writer.raw(key === ',' ? '}' : `${key}}`);
  }

  #writeValues(
    writer: JsonWriter,
    field: FacetField,
    target: FacetTarget,
    { limit, isByValue, query }: FacetOptions,
  ): void {
    if (query?.field === field.index) keepAskedValues(field.runs, query, this.#budget);
    if (field.runs.length === 0 || limit === 0) return;
    const { segments } = target;
    const { runs, type } = field;
    if (isByValue) {
      writeEntries(writer, type, runs, segments, this.#first, this.#first.findFirst(runs, limit), this.#budget);
      return;
    }
    const numbers = this.#numbersOf(field, target);
    if (numbers !== null) this.#writeNumbered(writer, field, numbers, limit);
    else writeEntries(writer, type, runs, segments, this.#join, this.#join.findTop(runs, limit), this.#budget);
  }

  /** The numbers of a field's values; null: its runs are to be joined. */
  #numbersOf({ index, type, runs }: FacetField, { segments, values }: FacetTarget): FieldNumbers | null {
    if (runs.length < 2 || (type !== 'keyword' && type !== 'text')) return null;
    let entries = 0;
    for (const { size } of runs) entries += size;
    const columns: ColumnReader[] = [];
    for (const segment of segments) {
      const column = segment.column(index);
      if (column !== null) columns.push(column);
    }
    return values.of(index, columns, entries, this.#budget);
  }

  #writeNumbered(writer: JsonWriter, { type, runs }: FacetField, numbers: FieldNumbers, limit: number): void {
    const top = this.#numbered;
    const found = top.findTop(numbers, runs, limit);
    for (let rank = 0; rank < found; rank++) {
      if (rank > 0) writer.raw(',');
      const value = top.topValues[rank];
      writeValue(writer, type, numbers.columnOf(value), numbers.ordOf(value), 0, this.#budget);
      writer.raw(':');
      writer.integer(top.topCounts[rank]);
    }
  }
}
