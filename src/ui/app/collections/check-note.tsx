/**
 * What the server found when it looked which documents a changed schema would not fit.
 */
import type { SchemaChangeCheck } from '../../../client/client.js';
import { formatCount } from '../parts/format.js';

function Found({ documents, misfits, first }: SchemaChangeCheck) {
  if (misfits === 0) return <p class="saved">All documents fit ({formatCount(documents)}).</p>;
  return (
    <>
      <p>
        {formatCount(misfits)} of {formatCount(documents)} documents would not fit
        {misfits > first.length && ', among them'}:
      </p>
      <ul class="misfits">
        {first.map(({ id, message }) => (
          <li key={id}>
            <strong>{id}</strong>: {message}
          </li>
        ))}
      </ul>
    </>
  );
}

interface CheckNoteProps {
  readonly isChecking: boolean;
  readonly found: SchemaChangeCheck | null;
}

/** The note; empty where nothing was asked. */
export function CheckNote({ isChecking, found }: CheckNoteProps) {
  return (
    <div role="status">
      {isChecking && <p>Looking at the documents…</p>}
      {found !== null && <Found {...found} />}
    </div>
  );
}
