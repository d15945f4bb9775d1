/**
 * What a search can be narrowed down with: values of facets to click, several of each, and ranges of numbers and dates.
 */
import { useState } from 'preact/hooks';
import type { CollectionView, FacetStats, FieldView } from '../../../client/client.js';
import { formatDay } from '../parts/format.js';
import { facetFields, rangeFields } from './search-fields.js';
import { filterCount, type Range, type SearchState, toggleFacet, withoutFilters } from './search-state.js';
import type { FacetCounts, SearchResult } from './use-search.js';

const SHOWN = 8;

interface Part {
  readonly state: SearchState;
  readonly onChange: (state: SearchState) => void;
}

/** Chosen values first counted as they are, then by count, then by name: the server's order is lost in a JavaScript object. */
function valuesOf(counts: FacetCounts, chosen: readonly string[]): [string, number][] {
  const all = new Map(Object.entries(counts));
  for (const value of chosen) if (!all.has(value)) all.set(value, 0);
  return [...all].sort(([a, countA], [b, countB]) => countB - countA || a.localeCompare(b));
}

interface FacetProps extends Part {
  readonly field: FieldView;
  readonly counts: FacetCounts;
}

function Facet({ field: { name }, counts, state, onChange }: FacetProps) {
  const [showsAll, setShowsAll] = useState(false);
  const chosen = state.facets.get(name) ?? [];
  const values = valuesOf(counts, chosen);
  const shown = showsAll ? values : values.filter(([value], rank) => rank < SHOWN || chosen.includes(value));
  return (
    <fieldset class="facet">
      <legend>{name}</legend>
      {values.length === 0 && <p class="muted">no values</p>}
      {shown.map(([value, count]) => (
        <label key={value} class="facet-value">
          <input
            type="checkbox"
            checked={chosen.includes(value)}
            onChange={() => onChange(toggleFacet(state, name, value))}
          />
          <span class="facet-name">{value === '' ? '(empty)' : value}</span>
          <span class="count">{count.toLocaleString('en')}</span>
        </label>
      ))}
      {values.length > SHOWN && (
        <button type="button" class="plain" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? 'Show fewer' : `Show ${values.length - shown.length} more`}
        </button>
      )}
    </fieldset>
  );
}

function hintOf({ type }: FieldView, value: number | null | undefined): string {
  if (value === null || value === undefined) return '';
  return type === 'date' ? formatDay(value) : String(value);
}

interface RangeProps extends Part {
  readonly field: FieldView;
  readonly statistics: FacetStats | undefined;
}

function RangeInputs({ field, statistics, state, onChange }: RangeProps) {
  const { name, type } = field;
  const range = state.ranges.get(name) ?? { min: '', max: '' };
  const set = (change: Partial<Range>): void =>
    onChange({ ...state, page: 1, ranges: new Map([...state.ranges, [name, { ...range, ...change }]]) });
  const input = (end: 'min' | 'max', words: string) => (
    <label>
      <span class="visually-hidden">{`${name}, ${words}`}</span>
      <input
        type={type === 'date' ? 'date' : 'number'}
        step="any"
        value={range[end]}
        placeholder={hintOf(field, statistics?.[end]) || words}
        onInput={(event) => set({ [end]: event.currentTarget.value })}
      />
    </label>
  );
  return (
    <fieldset class="facet">
      <legend>{name}</legend>
      <div class="range">
        {input('min', 'from')}
        <span aria-hidden="true">–</span>
        {input('max', 'to')}
      </div>
    </fieldset>
  );
}

interface FacetListProps extends Part {
  readonly collection: CollectionView;
  readonly result: SearchResult | null;
}

/** Everything that `collection` can be narrowed down with. */
export function FacetList({ collection, result, state, onChange }: FacetListProps) {
  const facets = facetFields(collection);
  const ranges = rangeFields(collection);
  const count = filterCount(state);
  const countsOf = (name: string): FacetCounts => result?.counts[name] ?? result?.answer.facets?.[name] ?? {};
  return (
    <div class="facets">
      <div class="facets-head">
        <h2>Filters</h2>
        <button type="button" class="plain" disabled={count === 0} onClick={() => onChange(withoutFilters(state))}>
          Clear all
        </button>
      </div>
      {facets.length + ranges.length === 0 && <p class="muted">No field of this collection has “facet” or “filter”.</p>}
      {facets.map((field) => (
        <Facet key={field.name} field={field} counts={countsOf(field.name)} state={state} onChange={onChange} />
      ))}
      {ranges.map((field) => (
        <RangeInputs
          key={field.name}
          field={field}
          statistics={result?.answer.facet_stats?.[field.name]}
          state={state}
          onChange={onChange}
        />
      ))}
      <label class="facet own-filter">
        <span class="legend">Filter expression</span>
        <input
          type="text"
          value={state.filter}
          placeholder="price:<40 && brand:=Acme"
          spellcheck={false}
          autocapitalize="off"
          onInput={(event) => onChange({ ...state, page: 1, filter: event.currentTarget.value })}
        />
      </label>
    </div>
  );
}
