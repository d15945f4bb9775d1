/**
 * The controls of a field in a table of fields, and the heads above them: its switches, boost and word forms. What the type of
 * a field has no use for is off.
 */
import './field-controls.css';
import { FIELD_SWITCHES, type FieldSettings, isSearched } from './field-settings.js';
import { STEM_LANGUAGES } from './languages.js';

/** The heads from the type on. */
export function FieldHeads() {
  return (
    <>
      <th scope="col">Type</th>
      {FIELD_SWITCHES.map(([key, label, title]) => (
        <th key={key} scope="col" title={title}>
          {label}
        </th>
      ))}
      <th scope="col" title="how much more a match in it counts">
        Boost
      </th>
      <th scope="col" title="other forms of a word are found, in this language">
        Word forms
      </th>
    </>
  );
}

interface FieldControlsProps {
  readonly field: FieldSettings;
  /** What screen readers call the field. */
  readonly label: string;
  readonly isDisabled: boolean;
  /** Gets what was changed. */
  readonly onChange: (changed: Partial<FieldSettings>) => void;
}

/** The cells after the type. */
export function FieldControls({ field, label, isDisabled, onChange }: FieldControlsProps) {
  const isText = field.type === 'text';
  const hasForms = isSearched(field);
  return (
    <>
      {FIELD_SWITCHES.map(([key, head]) => {
        const isOff = key === 'index' && !isText;
        return (
          <td key={key} class="tick">
            <input
              type="checkbox"
              aria-label={`${head}: ${label}`}
              checked={!isOff && field[key]}
              disabled={isDisabled || isOff}
              onChange={(event) => onChange({ [key]: event.currentTarget.checked })}
            />
          </td>
        );
      })}
      <td>
        <input
          class="boost"
          type="number"
          min="0"
          step="any"
          placeholder="1"
          aria-label={`Boost: ${label}`}
          disabled={isDisabled || !isText}
          value={field.boost}
          onInput={(event) => onChange({ boost: event.currentTarget.value })}
        />
      </td>
      <td>
        <select
          aria-label={`Word forms: ${label}`}
          disabled={isDisabled || !hasForms}
          value={hasForms ? field.stem : ''}
          onChange={(event) => onChange({ stem: event.currentTarget.value })}
        >
          <option value="">as written</option>
          {STEM_LANGUAGES.map((language) => (
            <option key={language} value={language}>
              {language}
            </option>
          ))}
        </select>
      </td>
    </>
  );
}
