/**
 * What was found in a file, and what the collection will be: its name, where ids come from, and its fields, all to be edited.
 */
import { FORMAT_WORDS } from '../../../import/input-format.js';
import { ErrorNote } from '../parts/error-note.js';
import { formatBytes, formatCount } from '../parts/format.js';
import { type Draft, idFields } from './draft.js';
import type { FileInput, IdChoice } from './file-documents.js';
import type { Inspection } from './inspect-file.js';
import { SchemaTable } from './schema-table.js';

interface DraftFormProps {
  readonly input: FileInput;
  readonly inspection: Inspection;
  readonly draft: Draft;
  readonly error: unknown;
  readonly exists: boolean;
  readonly onChange: (draft: Draft) => void;
  readonly onCreate: () => void;
  /** Into the collection of this name, as it is. */
  readonly onAdd: () => void;
  readonly onCancel: () => void;
}

/** A field's name cannot be as this one is. */
const NUMBERED = '#';

function IdField({ inspection, draft, onChange }: Pick<DraftFormProps, 'inspection' | 'draft' | 'onChange'>) {
  const { documents, fields } = inspection;
  const own = fields.get('id');
  const { id } = draft;
  if (own !== undefined) {
    const lack = documents - own.present;
    return (
      <p class="id-field">
        Ids are the documents’ own.{' '}
        {lack > 0 && `${formatCount(lack)} ${lack === 1 ? 'document has' : 'documents have'} none and will be refused.`}
      </p>
    );
  }
  const chosen = id.kind === 'field' ? fields.get(id.name) : undefined;
  const again = chosen === undefined ? 0 : documents - chosen.distinct;
  const choose = (value: string): IdChoice =>
    value === NUMBERED ? { kind: 'number' } : { kind: 'field', name: value };
  return (
    <label class="id-field">
      <span>Id</span>
      <select
        value={id.kind === 'field' ? id.name : NUMBERED}
        onChange={(event) => onChange({ ...draft, id: choose(event.currentTarget.value) })}
      >
        <option value={NUMBERED}>numbered: 1, 2, 3, …</option>
        {idFields(inspection).map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
      {again > 0.06 * documents && (
        <span class="note">
          only {formatCount(chosen?.distinct ?? 0)} are distinct: a later document replaces an earlier one
        </span>
      )}
    </label>
  );
}

/** The form. */
export function DraftForm({ input, inspection, draft, error, exists, ...on }: DraftFormProps) {
  const { documents, strangers } = inspection;
  const declared = draft.fields.filter(({ isDeclared }) => isDeclared).length;
  return (
    <form
      class="draft"
      onSubmit={(event) => {
        event.preventDefault();
        on.onCreate();
      }}
    >
      <div class="card found">
        <h2>{input.file.name}</h2>
        <p role="status">
          {FORMAT_WORDS[input.format]}
          {input.isGzip && ', gzipped'} · {formatBytes(input.file.size)} · {formatCount(documents)}{' '}
          {documents === 1 ? 'document' : 'documents'} · {inspection.fields.size} fields
        </p>
        {strangers > 0 && (
          <p class="note">
            {strangers === 1 ? '1 line is no JSON object' : `${formatCount(strangers)} lines are no JSON objects`} and
            will be refused.
          </p>
        )}
        <div class="draft-head">
          <label>
            <span>Collection</span>
            <input
              type="text"
              required
              spellcheck={false}
              value={draft.name}
              onInput={(event) => on.onChange({ ...draft, name: event.currentTarget.value })}
            />
          </label>
          <IdField inspection={inspection} draft={draft} onChange={on.onChange} />
        </div>
      </div>
      <SchemaTable
        fields={draft.fields}
        documents={documents}
        onChange={(changed) =>
          on.onChange({
            ...draft,
            fields: draft.fields.map((field) => (field.name === changed.name ? changed : field)),
          })
        }
      />
      <ErrorNote error={error} />
      <div class="actions">
        <button type="button" onClick={on.onCancel}>
          Another file
        </button>
        {exists && (
          <button type="button" onClick={on.onAdd}>
            Import into {draft.name} as it is
          </button>
        )}
        <button type="submit" class="primary" disabled={declared === 0}>
          Create and import
        </button>
      </div>
    </form>
  );
}
