/**
 * How the view "Import" sends a file, without the view: what ends it, and that nothing is told after that.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClient } from '../../src/client/client.js';
import { type FileInput, recogniseFile } from '../../src/ui/app/import/file-documents.js';
import { type SendProgress, sendFile } from '../../src/ui/app/import/send-file.js';

const DOCUMENTS_A_BATCH = 5000;
const PLAN = { collection: 'c', id: { kind: 'field', name: 'id' }, types: new Map() } as const;

const inputOf = (name: string, text: string): Promise<FileInput> => recogniseFile(new File([text], name));
const documents = (count: number): string[] => Array.from({ length: count }, (_, n) => `{"id":"${n}","title":"t"}`);
/** Lets everything go on that waits for nothing but its turn. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}
const indexed = (count: number): Response => Response.json({ num_indexed: count, num_failed: 0, results: [] });

test('where a file cannot be read on, the batch under way is counted before that is said', async () => {
  const input = await inputOf('cut.json', `[${documents(DOCUMENTS_A_BATCH + 1).join(',')}`);
  let answer: ((response: Response) => void) | null = null;
  const fetch = (): Promise<Response> =>
    new Promise((resolve) => {
      answer = resolve;
    });
  const client = createClient({ url: 'http://server', fetch });
  const told: (SendProgress | 'ended')[] = [];
  const signal = new AbortController().signal;
  const sent = sendFile(client, input, PLAN, signal, (progress) => told.push(progress));
  const ended = assert.rejects(sent, /the array does not end/).finally(() => told.push('ended'));
  while (answer === null) await turns(1);
  // Reading has failed by then.
  await turns(100);
  (answer as (response: Response) => void)(indexed(DOCUMENTS_A_BATCH));
  await ended;
  await turns(100);
  assert.deepEqual(
    told.map((each) => (each === 'ended' ? each : each.indexed)),
    [DOCUMENTS_A_BATCH, 'ended'],
  );
});

test('an import that waits to try again is cancelled at once', async ({ mock }) => {
  const input = await inputOf('some.jsonl', documents(3).join('\n'));
  const cancel = new AbortController();
  mock.timers.enable({ apis: ['setTimeout'] });
  const client = createClient({
    url: 'http://server',
    fetch: async () => {
      setImmediate(() => setImmediate(() => cancel.abort()));
      return new Response('{"error":{"code":"overloaded","message":"later"}}', { status: 503 });
    },
  });
  // No timer ever ends here.
  await assert.rejects(
    sendFile(client, input, PLAN, cancel.signal, () => {}),
    { name: 'AbortError' },
  );
});
