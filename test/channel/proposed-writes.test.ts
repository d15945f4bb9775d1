/**
 * Writes that a replicated log orders: answered once, when they may be, and by nobody else's answer.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MessageChannel } from 'node:worker_threads';
import type { WriterInput } from '../../engine/channel/messages.js';
import { ProposedWrites } from '../../engine/channel/proposed-writes.js';
import { EngineError } from '../../engine/core/errors.js';
import { WRITE_QUEUE_BYTES_MAX } from '../../engine/core/limits.js';
import type { Replication } from '../../engine/replication.js';
import { parseSchema } from '../../engine/schema/parse-schema.js';
import { decodeRequest } from '../../engine/writer/state/request-records.js';
import type { WriteAnswer } from '../../engine/writer/state/write-requests.js';

const schema = parseSchema({ name: 'c', fields: [{ name: 'title', type: 'text' }] });

/** A log that only notes what it is given. */
class Log implements Replication {
  readonly streamId = 'log';
  answerWithinMs = 60_000;
  readonly deliveries = new MessageChannel().port1;
  readonly proposed: { readonly number: number; readonly kind: string }[] = [];
  refusal: EngineError | null = null;

  readonly propose = (number: number, record: Uint8Array<ArrayBuffer>): void => {
    const { kind, ticket } = decodeRequest(record, 1, true);
    assert.equal(ticket, number);
    this.proposed.push({ number, kind });
  };

  readonly admits = (takesMemory: boolean): EngineError | null =>
    takesMemory || this.refusal?.code !== 'memory_full' ? this.refusal : null;
}

const answerTo = (ticket: number): WriteAnswer => ({ ticket, error: null, collectionId: null, report: null });

function create() {
  const log = new Log();
  const posted: WriterInput[] = [];
  const writes = new ProposedWrites(log, (message) => posted.push(message));
  const drop = () => writes.submit(0, (ticket) => ({ kind: 'drop', ticket, collectionId: 1 }));
  return { log, posted, writes, drop };
}

/** Whether `promise` has been settled by now. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  const open = Symbol('open');
  const first = await Promise.race([
    promise.then(String, String),
    new Promise((resolve) => setImmediate(resolve, open)),
  ]);
  return first !== open;
}

test('an answer is given once everything up to its place is released, and not before', async () => {
  const { writes, drop } = create();
  const [first, second] = [drop(), drop()];
  writes.noteApplied(5);
  writes.settle([answerTo(1)], 5);
  writes.noteApplied(6);
  writes.settle([answerTo(2)], 6);
  assert.equal(await isSettled(first), false);
  writes.release(5);
  assert.equal((await first).ticket, 1);
  assert.equal(await isSettled(second), false);
  writes.release(9);
  assert.equal((await second).ticket, 2);
  assert.equal(writes.depth, 0);
});

test("a refused write is refused once, and what comes of it after all is nobody else's answer", async () => {
  const { writes, drop } = create();
  writes.release(100);
  const lost = drop();
  writes.refuse(1, new EngineError('unknown_outcome', 'nobody knows'));
  await assert.rejects(lost, { code: 'unknown_outcome' });
  const next = drop();
  writes.settle([answerTo(1)], 3);
  assert.equal(await isSettled(next), false);
  writes.settle([answerTo(2)], 4);
  assert.equal((await next).ticket, 2);
});

test('what the log does not admit is not proposed, and what is too much is refused', async () => {
  const { log, writes, drop } = create();
  log.refusal = new EngineError('overloaded', 'it has left');
  await assert.rejects(drop(), { code: 'overloaded' });
  log.refusal = new EngineError('memory_full', 'a node is short of memory');
  const create_ = writes.submit(0, (ticket) => ({ kind: 'create', ticket, schema }));
  await assert.rejects(create_, { code: 'memory_full' });
  assert.equal(log.proposed.length, 0);
  void drop();
  assert.equal(log.proposed.length, 1, 'what frees memory is let in');
  log.refusal = null;
  const large = writes.submit(WRITE_QUEUE_BYTES_MAX, (ticket) => ({ kind: 'drop', ticket, collectionId: 1 }));
  await assert.rejects(
    writes.submit(1, (ticket) => ({ kind: 'drop', ticket, collectionId: 1 })),
    { code: 'overloaded' },
  );
  assert.equal(await isSettled(large), false);
});

test('a dry run goes to the writer here and not to the log', () => {
  const { log, posted, writes } = create();
  void writes.submit(0, (ticket) => ({ kind: 'change', ticket, collectionId: 1, change: {}, isDryRun: true }));
  assert.equal(log.proposed.length, 0);
  assert.deepEqual(
    posted.map(({ kind }) => kind),
    ['write'],
  );
});

test('the end of a change is proposed until it has its place', async () => {
  const { log, writes } = create();
  writes.proposeChangeEnd(1, schema);
  writes.refuse(1, new EngineError('overloaded', 'no quorum'));
  await new Promise((resolve) => setTimeout(resolve, 1100));
  assert.deepEqual(
    log.proposed.map(({ kind }) => kind),
    ['change-end', 'change-end'],
  );
  writes.settle([answerTo(2)], 1);
  writes.release(1);
  writes.refuse(2, new EngineError('overloaded', 'late'));
  await new Promise((resolve) => setTimeout(resolve, 1100));
  assert.equal(log.proposed.length, 2);
});

test('a write that nobody answers is told as unknown, and a change of a schema may take what it takes', async () => {
  const { log, writes, drop } = create();
  log.answerWithinMs = 20;
  // The timer that looks keeps no process alive.
  const alive = setTimeout(() => {}, 10_000);
  const change = writes.submit(0, (ticket) => ({
    kind: 'change',
    ticket,
    collectionId: 1,
    change: {},
    isDryRun: false,
  }));
  await assert.rejects(drop(), { code: 'unknown_outcome', isLate: true });
  assert.equal(await isSettled(change), false);
  clearTimeout(alive);
});

test('at the end nobody waits: what is not released is told as unknown', async () => {
  const { posted, writes, drop } = create();
  const [applied, proposed] = [drop(), drop()];
  writes.noteApplied(5);
  writes.settle([answerTo(1)], 5);
  writes.stop(100);
  assert.deepEqual(posted.at(-1), { kind: 'stop', snapshotWithinMs: 100 });
  await assert.rejects(drop(), { code: 'overloaded' });
  writes.settleAll();
  await assert.rejects(applied, { code: 'unknown_outcome', isLate: true });
  await assert.rejects(proposed, { code: 'unknown_outcome', isLate: true });
});
