/**
 * The settings of a schema that are not of a field: which typos are forgiven, what orders, and how documents are kept.
 */
import { ordersOf, type SchemaDraft } from './schema-draft.js';

const NUMBERS = [
  ['one_typo_min_len', 'Letters for one typo'],
  ['two_typo_min_len', 'Letters for two typos'],
  ['max_typos', 'Typos at most'],
] as const;

const SWITCHES = [
  ['hasBonuses', 'Rank by nearness and exactness, too'],
  ['nearTies', 'The default order breaks near ties'],
  ['packs', 'Pack documents'],
] as const;

interface SchemaSettingsProps {
  readonly draft: SchemaDraft;
  readonly onChange: (draft: SchemaDraft) => void;
}

/** The controls. */
export function SchemaSettings({ draft, onChange }: SchemaSettingsProps) {
  const { typos, order } = draft;
  return (
    <div class="schema-settings">
      <label class="switch">
        <input
          type="checkbox"
          checked={typos.enabled}
          onChange={(event) => onChange({ ...draft, typos: { ...typos, enabled: event.currentTarget.checked } })}
        />
        Forgive typos
      </label>
      {NUMBERS.map(([key, label]) => (
        <label key={key} class="stacked">
          <span>{label}</span>
          <input
            type="number"
            min="0"
            required
            value={typos[key]}
            onInput={(event) => onChange({ ...draft, typos: { ...typos, [key]: event.currentTarget.value } })}
          />
        </label>
      ))}
      <label class="stacked">
        <span>Default order</span>
        <select value={order} onChange={(event) => onChange({ ...draft, order: event.currentTarget.value })}>
          <option value="">as added</option>
          {ordersOf(draft).map((name) => (
            <option key={name} value={name}>
              {name}, largest first
            </option>
          ))}
        </select>
      </label>
      {SWITCHES.map(([key, label]) => (
        <label key={key} class="switch">
          <input
            type="checkbox"
            checked={draft[key]}
            onChange={(event) => onChange({ ...draft, [key]: event.currentTarget.checked })}
          />
          {label}
        </label>
      ))}
    </div>
  );
}
