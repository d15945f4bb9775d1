/**
 * How is searched: the order, the fields, typos, beginnings of words, all words or any, and how many hits a page has.
 */
import type { CollectionView } from '../../../client/client.js';
import { searchedFields, sortChoices } from './search-fields.js';
import { LIMITS, type SearchState } from './search-state.js';

interface SearchOptionsProps {
  readonly collection: CollectionView;
  readonly state: SearchState;
  readonly onChange: (state: SearchState) => void;
}

interface SwitchProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly onSet: (isOn: boolean) => void;
}

function Switch({ label, isOn, onSet }: SwitchProps) {
  return (
    <label class="switch">
      <input type="checkbox" checked={isOn} onChange={(event) => onSet(event.currentTarget.checked)} />
      {label}
    </label>
  );
}

/** Fields to look into. All chosen is the same as none named. */
function FieldChips({ collection, state, onChange }: SearchOptionsProps) {
  const fields = searchedFields(collection);
  if (fields.length < 2) return null;
  const names = fields.map(({ name }) => name);
  const chosen = state.queryBy.length === 0 ? names : state.queryBy;
  const toggle = (name: string): void => {
    const next = names.filter((each) => (each === name ? !chosen.includes(each) : chosen.includes(each)));
    if (next.length > 0) onChange({ ...state, page: 1, queryBy: next.length === names.length ? [] : next });
  };
  return (
    <fieldset class="chips">
      <legend>Search in</legend>
      {fields.map(({ name, boost }) => (
        <label key={name} class="chip">
          <input type="checkbox" checked={chosen.includes(name)} onChange={() => toggle(name)} />
          {name}
          {boost !== null && boost !== 1 && (
            <span class="field-boost" title="counts this many times in the relevance">
              ×{boost}
            </span>
          )}
        </label>
      ))}
    </fieldset>
  );
}

/** Which words match in `collection`, and where. */
export function SearchOptions({ collection, state, onChange }: SearchOptionsProps) {
  const set = (change: Partial<SearchState>): void => onChange({ ...state, page: 1, ...change });
  return (
    <div class="options">
      <FieldChips collection={collection} state={state} onChange={onChange} />
      <Switch
        label="Forgive typos"
        isOn={state.typos ?? collection.typo_tolerance.enabled}
        onSet={(typos) => set({ typos })}
      />
      <Switch label="Complete the last word" isOn={state.prefix} onSet={(prefix) => set({ prefix })} />
      <Switch
        label="All words must match"
        isOn={state.mode === 'all'}
        onSet={(isAll) => set({ mode: isAll ? 'all' : 'any' })}
      />
    </div>
  );
}

/** In which order hits are shown, and how many. */
export function OrderOptions({ collection, state, onChange }: SearchOptionsProps) {
  const set = (change: Partial<SearchState>): void => onChange({ ...state, page: 1, ...change });
  return (
    <div class="options">
      <label class="select">
        Sort by
        <select value={state.sort} onChange={(event) => set({ sort: event.currentTarget.value })}>
          {sortChoices(collection).map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <label class="select">
        Per page
        <select value={state.limit} onChange={(event) => set({ limit: Number(event.currentTarget.value) })}>
          {LIMITS.map((limit) => (
            <option key={limit} value={limit}>
              {limit}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}
