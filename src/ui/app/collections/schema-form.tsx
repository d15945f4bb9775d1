/**
 * The form of a schema: its fields and settings, to be checked against the documents, and saved.
 */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { FieldView } from '../../../client/client.js';
import { ErrorNote } from '../parts/error-note.js';
import { FieldHeads } from '../parts/field-controls.js';
import { Scrolls } from '../parts/scrolls.js';
import { CheckNote } from './check-note.js';
import { FieldRow } from './field-row.js';
import { type SchemaDraft, withField, withNewField, withoutField } from './schema-draft.js';
import { SchemaSettings } from './schema-settings.js';
import type { SchemaEdit } from './use-schema-edit.js';

interface SchemaFormProps {
  /** The fields that there are. */
  readonly known: readonly FieldView[];
  readonly edit: SchemaEdit;
  readonly draft: SchemaDraft;
  /** What is told while a change is made. */
  readonly children: ComponentChildren;
}

/** The form; it takes the focus when it comes. */
export function SchemaForm({ known, edit, draft, children }: SchemaFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const add = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => form.current?.focus(), []);
  const { change, doing } = edit;
  const taken = new Set(known.map(({ name }) => name));
  return (
    <form
      ref={form}
      class="schema-form"
      aria-label="Edit schema"
      tabIndex={-1}
      onSubmit={(event) => {
        event.preventDefault();
        // Enter checks, as it is the first button: nobody changes a schema by a slip.
        const isSave = event.submitter?.getAttribute('value') === 'save';
        void (isSave ? edit.save() : edit.check());
      }}
    >
      <fieldset disabled={doing !== 'nothing'}>
        <legend class="visually-hidden">Fields and settings</legend>
        <Scrolls label="Fields">
          <table class="grid schema">
            <thead>
              <tr>
                <th scope="col">Field</th>
                <FieldHeads />
                <th scope="col">
                  <span class="visually-hidden">Drop</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {draft.fields.map((field) => (
                <FieldRow
                  key={field.row}
                  field={field}
                  taken={taken}
                  onChange={(changed) => edit.edit(withField(draft, changed))}
                  onRemove={() => {
                    edit.edit(withoutField(draft, field));
                    add.current?.focus();
                  }}
                />
              ))}
            </tbody>
          </table>
        </Scrolls>
        <div>
          <button ref={add} type="button" onClick={() => edit.edit(withNewField(draft))}>
            Add a field
          </button>
        </div>
        <SchemaSettings draft={draft} onChange={edit.edit} />
      </fieldset>
      {children}
      <CheckNote isChecking={doing === 'checking'} found={edit.found} />
      <ErrorNote error={edit.error} />
      <div class="actions">
        <button type="button" disabled={doing === 'saving'} onClick={edit.cancel}>
          Cancel
        </button>
        {edit.mayChange && (
          <>
            <button type="submit" disabled={change === null}>
              Check
            </button>
            <button type="submit" class="primary" value="save" disabled={change === null}>
              Save schema
            </button>
          </>
        )}
      </div>
    </form>
  );
}
