/**
 * The inferred schema as a table to edit: a row for each field, with what was seen of it.
 */
import { FieldControls, FieldHeads } from '../parts/field-controls.js';
import { FieldType } from '../parts/field-type.js';
import { formatCount } from '../parts/format.js';
import { Scrolls } from '../parts/scrolls.js';
import type { DraftField } from './draft.js';

interface TableProps {
  readonly fields: readonly DraftField[];
  readonly documents: number;
  readonly onChange: (field: DraftField) => void;
}

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
      <FieldControls
        field={field}
        label={name}
        isDisabled={!isDeclared}
        onChange={(changed) => onChange({ ...field, ...changed })}
      />
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
            <FieldHeads />
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
