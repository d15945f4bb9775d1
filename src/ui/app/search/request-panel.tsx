/**
 * The request behind what is shown, to copy: its address, and a command line that sends it.
 */
import { CopyText } from '../parts/copy-text.js';
import { curlCommand } from './search-request.js';

interface RequestPanelProps {
  readonly path: string;
  readonly hasKey: boolean;
}

/** Shows the request at `path`. */
export function RequestPanel({ path, hasKey }: RequestPanelProps) {
  const { origin } = location;
  return (
    <details class="request card">
      <summary>The request</summary>
      <CopyText label="GET" text={`${origin}${path}`} />
      <CopyText label="curl" text={curlCommand(origin, path, hasKey)} />
    </details>
  );
}
