/**
 * Where a key is entered. The shell opens it when the server asks for one, or a person does.
 *
 * The key stays in the memory of this tab: the field is no password field of a form, so that browsers do not offer to store it.
 */
import { useEffect, useRef, useState } from 'preact/hooks';

interface KeyEntryProps {
  readonly current: string;
  readonly onSet: (key: string) => void;
  readonly onClose: () => void;
}

/** A dialog that asks for a key. */
export function KeyEntry({ current, onSet, onClose }: KeyEntryProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [key, setKey] = useState(current);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="key-entry" aria-labelledby="key-title" onClose={onClose}>
      <h2 id="key-title">Key</h2>
      <p>
        The search key can look, the admin key can also change. It is kept in this tab until you close or reload it, and
        nowhere else.
      </p>
      <form
        method="dialog"
        onSubmit={() => {
          onSet(key.trim());
        }}
      >
        <label>
          Key
          <input
            type="text"
            class="secret"
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            value={key}
            onInput={(event) => setKey(event.currentTarget.value)}
          />
        </label>
        <div class="actions">
          <button type="button" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
          <button type="submit" class="primary">
            Use this key
          </button>
        </div>
      </form>
    </dialog>
  );
}
