/**
 * How a view tells what went wrong: the server's own words, and the key entry where one is missing. Announced by screen readers.
 */
import { SabreError } from '../../../client/client.js';
import { useSession } from '../session.js';

/** Shows `error`; nothing for null. */
export function ErrorNote({ error }: { readonly error: unknown }) {
  const { askForKey } = useSession();
  if (error === null || error === undefined) return null;
  const code = error instanceof SabreError ? error.code : 'error';
  const message = error instanceof Error ? error.message : String(error);
  const needsKey = code === 'unauthorized' || code === 'forbidden';
  return (
    <div class="error-note" role="alert">
      <code>{code}</code>
      <span>{code === 'unreachable' ? 'the server does not answer' : message}</span>
      {needsKey && (
        <button type="button" onClick={askForKey}>
          Enter a key
        </button>
      )}
    </div>
  );
}
