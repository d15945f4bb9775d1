/**
 * Nodes of a cluster in processes of their own, on a real NATS server: one that stands still for longer than its lease answers nothing
 * old when it goes on, and one that is killed holds the others up for a lease.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClusterOptions } from '../../src/cluster/cluster-options.js';
import { NatsServers, needingNats } from '../support/nats-server.js';
import type { FromNode, ToNode } from './node-process.js';
import { clusterOptions } from './test-node.js';

const LEASE_MS = 1000;
const SUFFIX = import.meta.url.endsWith('.ts') ? '.ts' : '.js';

class NodeProcess {
  readonly child: ChildProcess;
  readonly #waiting = new Map<number, (message: FromNode) => void>();
  readonly #ready: Promise<void>;
  #id = 0;

  constructor(options: ClusterOptions) {
    this.child = fork(join(import.meta.dirname, `node-process${SUFFIX}`), [JSON.stringify(options)], {
      execArgv: SUFFIX === '.ts' ? ['--import', 'tsx'] : [],
    });
    this.#ready = new Promise((resolve) => {
      this.child.on('message', (message: FromNode) => {
        if (message.kind === 'ready') resolve();
        else {
          this.#waiting.get(message.id)?.(message);
          this.#waiting.delete(message.id);
        }
      });
    });
  }

  ready(): Promise<void> {
    return this.#ready;
  }

  /** null: acknowledged; else the code of the error. */
  async write(text: string): Promise<string | null> {
    const answer = await this.#ask((id) => ({ kind: 'write', id, text }));
    return answer.kind === 'written' ? answer.error : 'internal_error';
  }

  /** null: it answers no reads. */
  async read(): Promise<readonly string[] | null> {
    const answer = await this.#ask((id) => ({ kind: 'read', id }));
    return answer.kind === 'read' ? answer.records : null;
  }

  async kill(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    this.child.kill('SIGKILL');
    await ended;
  }

  #ask(make: (id: number) => ToNode): Promise<FromNode> {
    const id = ++this.#id;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.child.send(make(id));
    });
  }
}

/** Has `run` done with as many nodes, ready, as there are `names`. */
async function withNodes(names: readonly string[], run: (nodes: NodeProcess[], urls: string[]) => Promise<void>) {
  const nats = await NatsServers.start();
  const nodes = names.map((name) => new NodeProcess(clusterOptions(nats.urls, name, { leaseMs: LEASE_MS })));
  try {
    await Promise.all(nodes.map((node) => node.ready()));
    await run(nodes, nats.urls);
  } finally {
    await Promise.all(nodes.map((node) => node.kill()));
    await nats.close();
  }
}

test('a node that stood still answers nothing old, and catches up', needingNats(), async () => {
  await withNodes(['a', 'b'], async ([a, b]) => {
    assert.ok(a !== undefined && b !== undefined);
    assert.equal(await a.write('first'), null);
    assert.deepEqual(await b.read(), ['first']);
    b.child.kill('SIGSTOP');
    const began = performance.now();
    assert.equal(await a.write('second'), null);
    const waitedMs = performance.now() - began;
    assert.ok(waitedMs > LEASE_MS / 2 && waitedMs < 3 * LEASE_MS, `the write took ${waitedMs} ms`);
    // Asked while it stands still: it answers when it goes on, and must notice first that its time is over.
    const reads = [b.read(), b.read()];
    await sleep(2 * LEASE_MS);
    b.child.kill('SIGCONT');
    for (const records of await Promise.all(reads))
      if (records !== null) assert.deepEqual(records, ['first', 'second']);
    const until = performance.now() + 10_000;
    let records: readonly string[] | null = null;
    while (records === null && performance.now() < until) {
      await sleep(20);
      records = await b.read();
    }
    assert.deepEqual(records, ['first', 'second']);
    assert.equal(await b.write('third'), null);
    assert.deepEqual(await a.read(), ['first', 'second', 'third']);
  });
});

test(
  'a node that was killed holds a write up for its lease, and comes back by the same name',
  needingNats(),
  async () => {
    await withNodes(['a', 'b'], async ([a, b], urls) => {
      assert.ok(a !== undefined && b !== undefined);
      await b.kill();
      const began = performance.now();
      assert.equal(await a.write('first'), null);
      const waitedMs = performance.now() - began;
      assert.ok(waitedMs < 2 * LEASE_MS, `the write took ${waitedMs} ms`);
      const again = new NodeProcess(clusterOptions(urls, 'b', { leaseMs: LEASE_MS }));
      await again.ready();
      assert.deepEqual(await again.read(), ['first']);
      const second = new NodeProcess(clusterOptions(urls, 'b', { leaseMs: LEASE_MS }));
      const code = await new Promise((resolve) => second.child.once('exit', resolve));
      assert.equal(code, 3, 'a second process of the same name ends');
      assert.equal(await a.write('second'), null);
      assert.deepEqual(await again.read(), ['first', 'second']);
      await again.kill();
    });
  },
);
