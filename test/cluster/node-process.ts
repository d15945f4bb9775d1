/**
 * A node of a cluster in a process of its own, so that a test can have it stand still or die: told by messages what to do. Started by
 * node-processes.test.ts.
 */
import { isReady, startNode, type TestNode } from './test-node.js';

export type ToNode =
  | { readonly kind: 'write'; readonly id: number; readonly text: string }
  | { readonly kind: 'read'; readonly id: number };

export type FromNode =
  | { readonly kind: 'ready' }
  | { readonly kind: 'written'; readonly id: number; readonly error: string | null }
  | { readonly kind: 'read'; readonly id: number; readonly records: readonly string[] | null };

const send = (message: FromNode): void => {
  process.send?.(message);
};

/** As the HTTP server would: reads only while they are admitted. */
async function answer(one: TestNode, message: ToNode): Promise<void> {
  const { node, replica } = one;
  const { id } = message;
  if (message.kind === 'read') {
    send({ kind: 'read', id, records: node.admitsRead() === null ? [...replica.records] : null });
    return;
  }
  const refusal = node.admitsWrite();
  const outcome = refusal === null ? replica.write(message.text) : Promise.reject(refusal);
  await outcome.then(
    () => send({ kind: 'written', id, error: null }),
    (error: { readonly code: string }) => send({ kind: 'written', id, error: error.code }),
  );
}

const options = JSON.parse(process.argv[2] ?? '');
const one = await startNode(options);
process.on('message', (message: ToNode) => void answer(one, message));
const timer = setInterval(() => {
  if (one.fatal.length > 0) process.exit(3);
  if (!isReady(one)) return;
  clearInterval(timer);
  send({ kind: 'ready' });
}, 10);
