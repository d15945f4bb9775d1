/**
 * A field of a schema to edit: one that is there, which keeps its name and type and can be dropped, or a new one.
 */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { FieldControls } from '../parts/field-controls.js';
import { FieldType } from '../parts/field-type.js';
import type { FieldDraft } from './schema-draft.js';

interface FieldRowProps {
  readonly field: FieldDraft;
  /** Names that are no names for a new field. */
  readonly taken: ReadonlySet<string>;
  readonly onChange: (field: FieldDraft) => void;
  /** Of a new one: away with it. */
  readonly onRemove: () => void;
}

function NewName({ field, taken, onChange }: Omit<FieldRowProps, 'onRemove'>) {
  const input = useRef<HTMLInputElement>(null);
  // Before anything can be typed.
  useLayoutEffect(() => input.current?.focus(), []);
  // The server would take it for a change of that field.
  const fault = taken.has(field.name) ? 'There is a field of this name.' : '';
  useLayoutEffect(() => input.current?.setCustomValidity(fault), [fault]);
  return (
    <input
      ref={input}
      class="name"
      type="text"
      required
      autocomplete="off"
      spellcheck={false}
      aria-label="Name of the new field"
      value={field.name}
      onInput={(event) => onChange({ ...field, name: event.currentTarget.value })}
    />
  );
}

/** The row. */
export function FieldRow({ field, taken, onChange, onRemove }: FieldRowProps) {
  const { name, type, isNew, isDropped } = field;
  const label = name === '' ? 'new field' : name;
  const drop = (): void => (isNew ? onRemove() : onChange({ ...field, isDropped: !isDropped }));
  const act = isDropped ? 'Keep' : isNew ? 'Remove' : 'Drop';
  return (
    <tr class={isDropped ? 'dropped' : ''}>
      <th scope="row">
        {isNew && <NewName field={field} taken={taken} onChange={onChange} />}
        {!isNew && (isDropped ? <s>{name}</s> : name)}
        {isDropped && ' (dropped when saved)'}
      </th>
      <td>
        {isNew ? (
          <FieldType
            label={`Type: ${label}`}
            value={type}
            isDisabled={false}
            onChange={(chosen) => onChange({ ...field, type: chosen })}
          />
        ) : (
          <code>{type}</code>
        )}
      </td>
      <FieldControls
        field={field}
        label={label}
        isDisabled={isDropped}
        onChange={(changed) => onChange({ ...field, ...changed })}
      />
      <td>
        <button type="button" class="plain" aria-label={`${act} ${label}`} onClick={drop}>
          {act}
        </button>
      </td>
    </tr>
  );
}
