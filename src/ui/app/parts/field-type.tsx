/**
 * The choice of a field's type.
 */
import type { FieldType as Type } from '../../../import/declared-field.js';

const TYPES: readonly Type[] = ['text', 'keyword', 'int', 'float', 'bool', 'date'];

interface FieldTypeProps {
  readonly label: string;
  readonly value: Type;
  readonly isDisabled: boolean;
  readonly onChange: (type: Type) => void;
}

/** A list of the types a field may have. */
export function FieldType({ label, value, isDisabled, onChange }: FieldTypeProps) {
  return (
    <select
      aria-label={label}
      value={value}
      disabled={isDisabled}
      onChange={(event) => onChange(TYPES.find((type) => type === event.currentTarget.value) ?? value)}
    >
      {TYPES.map((type) => (
        <option key={type} value={type}>
          {type}
        </option>
      ))}
    </select>
  );
}
