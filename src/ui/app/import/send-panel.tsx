/**
 * How far an import is, what was refused, and how it ended.
 */
import { ErrorNote } from '../parts/error-note.js';
import { formatBytes, formatCount } from '../parts/format.js';
import { Scrolls } from '../parts/scrolls.js';
import { formatRoute } from '../route.js';
import type { FileInput } from './file-documents.js';
import { isTable } from './file-documents.js';
import type { SendProgress } from './send-file.js';

interface SendPanelProps {
  readonly input: FileInput;
  readonly collection: string;
  readonly progress: SendProgress;
  readonly state: 'sending' | 'done' | 'cancelled' | 'failed';
  readonly error: unknown;
  readonly onCancel: () => void;
  readonly onAgain: () => void;
}

const TITLES = { sending: 'Importing', done: 'Imported', cancelled: 'Cancelled', failed: 'Stopped' } as const;

function Failures({ input, progress }: Pick<SendPanelProps, 'input' | 'progress'>) {
  const { failed, failures } = progress;
  if (failed === 0) return null;
  return (
    <Scrolls label="Refused documents">
      <h3>
        {formatCount(failed)} refused
        {failed > failures.length && `, the first ${failures.length} are`}
      </h3>
      <table class="grid">
        <thead>
          <tr>
            <th scope="col">{isTable(input) || input.format === 'json' ? 'Document' : 'Line'}</th>
            <th scope="col">Id</th>
            <th scope="col">Reason</th>
          </tr>
        </thead>
        <tbody>
          {failures.map(({ line, id, error }) => (
            <tr key={line}>
              <td class="number">{formatCount(line)}</td>
              <td>{id}</td>
              <td>{error}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolls>
  );
}

/** The panel. */
export function SendPanel({ input, collection, progress, state, error, onCancel, onAgain }: SendPanelProps) {
  const { indexed, failed, bytesRead, seconds } = progress;
  const rate = (indexed + failed) / Math.max(seconds, 0.001);
  return (
    <div class="card sending">
      <h2>
        {TITLES[state]}: {collection}
      </h2>
      {state === 'sending' && (
        <progress aria-label="Imported" max={input.file.size} value={Math.min(bytesRead, input.file.size)} />
      )}
      <p role="status">
        <strong class="number">{formatCount(indexed)}</strong> documents indexed
        {failed > 0 && `, ${formatCount(failed)} refused`} ·{' '}
        <span class="number">
          {formatBytes(bytesRead)} of {formatBytes(input.file.size)} · {formatCount(rate)} documents/s
        </span>
      </p>
      <ErrorNote error={error} />
      <Failures input={input} progress={progress} />
      <div class="actions">
        {state === 'sending' ? (
          <button type="button" onClick={onCancel}>
            Cancel
          </button>
        ) : (
          <>
            <button type="button" onClick={onAgain}>
              Import another file
            </button>
            <a class="button" href={formatRoute({ view: 'search', collection })}>
              Search {collection}
            </a>
          </>
        )}
      </div>
    </div>
  );
}
