/**
 * A line of text to copy, with a button that does it.
 */
import { useState } from 'preact/hooks';

const SAID_FOR_MS = 2000;

/** Shows `text`, called `label`, to copy. */
export function CopyText({ label, text }: { readonly label: string; readonly text: string }) {
  const [state, setState] = useState('Copy');
  const say = (word: string): void => {
    setState(word);
    setTimeout(() => setState('Copy'), SAID_FOR_MS);
  };
  // Without TLS browsers may keep the clipboard from a page; the text can be selected then.
  const copy = (): void => {
    if (navigator.clipboard === undefined) say('Select it');
    else
      navigator.clipboard.writeText(text).then(
        () => say('Copied'),
        () => say('Select it'),
      );
  };
  return (
    <div class="copy-text">
      <span class="copy-label">{label}</span>
      <input type="text" readOnly aria-label={label} value={text} onFocus={(event) => event.currentTarget.select()} />
      <button type="button" aria-label={`Copy ${label}`} onClick={copy}>
        <span role="status">{state}</span>
      </button>
    </div>
  );
}
