/**
 * The inferred schema as a table to edit: a row for each field, with what was seen of it.
 */
import { formatCount } from '../parts/format.js';
import { STEM_LANGUAGES } from '../parts/languages.js';
import { Scrolls } from '../parts/scrolls.js';
import type { DraftField } from './draft.js';
import { FieldType } from './field-type.js';

interface TableProps {
  readonly fields: readonly DraftField[];
  readonly documents: number;
  readonly onChange: (field: DraftField) => void;
}

/** What each switch of a field is for. */
const SWITCHES = [
  ['facet', 'Facet', 'its values are counted, and chosen from a list'],
  ['filter', 'Filter', 'results are narrowed by it'],
  ['sort', 'Sort', 'results are ordered by it'],
] as const;

function Seen({ field, documents }: { readonly field: DraftField; readonly documents: number }) {
  const { present, distinct, examples } = field.seen;
  const share = Math.floor((100 * present) / documents);
  return (
    <div class="seen">
      <span>
        {share === 0 && present > 0 ? 'under 1' : share} % have it · {formatCount(distinct)} distinct
      </span>
      {examples.length > 0 && <span class="examples">{examples.join(' · ')}</span>}
      {field.note !== '' && <span class="note">{field.note}</span>}
    </div>
  );
}

function Row({ field, documents, onChange }: Omit<TableProps, 'fields'> & { readonly field: DraftField }) {
  const { name, isDeclared, type } = field;
  const isText = type === 'text';
  const box = (key: 'facet' | 'filter' | 'sort' | 'index' | 'optional', label: string, isOff = false) => (
    <td class="tick">
      <input
        type="checkbox"
        aria-label={`${label}: ${name}`}
        checked={!isOff && field[key]}
        disabled={!isDeclared || isOff}
        onChange={(event) => onChange({ ...field, [key]: event.currentTarget.checked })}
      />
    </td>
  );
  return (
    <tr class={isDeclared ? '' : 'dropped'}>
      <td class="tick">
        <input
          type="checkbox"
          aria-label={`Use: ${name}`}
          checked={isDeclared}
          disabled={!field.canBeDeclared}
          onChange={(event) => onChange({ ...field, isDeclared: event.currentTarget.checked })}
        />
      </td>
      <th scope="row">
        {name}
        <Seen field={field} documents={documents} />
      </th>
      <td>
        <FieldType
          label={`Type: ${name}`}
          value={type}
          isDisabled={!isDeclared}
          onChange={(chosen) => onChange({ ...field, type: chosen })}
        />
      </td>
      {SWITCHES.map(([key, label]) => box(key, label))}
      {box('index', 'Search', !isText)}
      {box('optional', 'Optional')}
      <td>
        <input
          class="boost"
          type="number"
          min="0"
          step="any"
          placeholder="1"
          aria-label={`Boost: ${name}`}
          disabled={!isDeclared || !isText}
          value={field.boost}
          onInput={(event) => onChange({ ...field, boost: event.currentTarget.value })}
        />
      </td>
      <td>
        <select
          aria-label={`Word forms: ${name}`}
          disabled={!isDeclared || !isText}
          value={field.stem}
          onChange={(event) => onChange({ ...field, stem: event.currentTarget.value })}
        >
          <option value="">as written</option>
          {STEM_LANGUAGES.map((language) => (
            <option key={language} value={language}>
              {language}
            </option>
          ))}
        </select>
      </td>
    </tr>
  );
}

/** The table; `onChange` gets the row that was changed. */
export function SchemaTable({ fields, documents, onChange }: TableProps) {
  return (
    <Scrolls label="Fields">
      <table class="grid schema">
        <thead>
          <tr>
            <th scope="col">Use</th>
            <th scope="col">Field</th>
            <th scope="col">Type</th>
            {SWITCHES.map(([key, label, title]) => (
              <th key={key} scope="col" title={title}>
                {label}
              </th>
            ))}
            <th scope="col" title="its words are found">
              Search
            </th>
            <th scope="col" title="documents may lack it">
              Optional
            </th>
            <th scope="col" title="how much more a match in it counts">
              Boost
            </th>
            <th scope="col" title="other forms of a word are found, in this language">
              Word forms
            </th>
          </tr>
        </thead>
        <tbody>
          {fields.map((field) => (
            <Row key={field.name} field={field} documents={documents} onChange={onChange} />
          ))}
        </tbody>
      </table>
    </Scrolls>
  );
}
