/**
 * A server that is a node of a cluster: it answers while it may, and says at once when it may not; a read can ask for what was written
 * elsewhere, and a write says what to ask for.
 */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { EngineError, type ReplicatedEngine } from '../../engine/index.js';
import { connectingState, type ServedState } from '../../src/cluster/cluster-state.js';
import type { ClusterGuard } from '../../src/engine-gate.js';
import { errorCode, startServer, type TestServer } from './test-server.js';

/** A node whose lease and progress the test moves. */
class FakeNode implements ClusterGuard {
  isShut = false;
  applied = 7;
  readonly reason = 'its lease has ended';
  readonly waiting: { readonly sequence: number; readonly run: () => void; readonly refuse: () => void }[] = [];

  whenApplied(sequence: number, _: () => string, run: () => void, refuse: () => void): () => void {
    const waiting = { sequence, run, refuse };
    if (sequence <= this.applied) run();
    else this.waiting.push(waiting);
    return () => {
      const at = this.waiting.indexOf(waiting);
      if (at >= 0) this.waiting.splice(at, 1);
    };
  }

  readonly state = (): ServedState => ({
    ...{ ...connectingState('a', null, null), phase: 'ready', isConnected: true, applied: this.applied },
    ...{ leaseMs: this.isShut ? 0 : 1500, proposedBytes: 0 },
    nodes: [
      { node: 'a', state: 'held', applied: 7, isShort: false, url: null, version: '1.2.3', silentMs: 3 },
      {
        node: 'b',
        state: 'evicted',
        applied: 5,
        isShort: true,
        url: 'http://b:8108',
        version: '1.2.3',
        silentMs: 9000,
      },
    ],
  });
}

async function withNode(use: (server: TestServer, node: FakeNode) => Promise<void>): Promise<void> {
  const node = new FakeNode();
  const server = await startServer({}, { node: { guard: node, state: node.state } });
  server.engine.replicated = { appliedSequence: node.applied } as ReplicatedEngine;
  try {
    await use(server, node);
  } finally {
    server.stop();
  }
}

const SEARCH = '/collections/books/search?q=a';

test('a read whose client has gone waits for no writes', () =>
  withNode(async ({ port }, node) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.on('error', () => {});
    socket.write(`GET ${SEARCH} HTTP/1.1\r\nHost: x\r\nx-sabre-sequence: 9\r\n\r\n`);
    for (const count of [1, 0]) {
      for (let i = 0; i < 500 && node.waiting.length !== count; i++) await sleep(10);
      assert.equal(node.waiting.length, count);
      socket.destroy();
    }
  }));

test('a node whose lease is over refuses reads and writes at once, and is alive', () =>
  withNode(async (server, node) => {
    assert.equal((await server.get(SEARCH)).status, 200);
    node.isShut = true;
    for (const [method, path, body] of [
      ['GET', SEARCH, undefined],
      ['GET', '/collections/books/documents/1', undefined],
      ['GET', '/collections', undefined],
      ['POST', '/collections/books/documents', '{"id":"1"}'],
      ['DELETE', '/collections/books/documents/1', undefined],
    ] as const) {
      const answer = await server.send(method, path, body === undefined ? {} : { body });
      assert.deepEqual(
        [answer.status, errorCode(answer), answer.headers['retry-after']],
        [503, 'overloaded', '1'],
        path,
      );
      assert.match(answer.text, /its lease has ended/);
    }
    assert.equal((await server.get('/health')).status, 200);
    node.isShut = false;
    assert.equal((await server.get(SEARCH)).status, 200);
  }));

test('/ready and the metrics tell of the node and of the others', () =>
  withNode(async (server, node) => {
    const ready = await server.get('/ready');
    assert.equal(ready.status, 200);
    const { cluster } = JSON.parse(ready.text);
    assert.deepEqual([cluster.phase, cluster.node, cluster.applied, cluster.lease_ms], ['ready', 'a', 7, 1500]);
    assert.deepEqual(cluster.nodes[1], {
      ...{ node: 'b', state: 'evicted', applied: 5, short_of_memory: true },
      ...{ url: 'http://b:8108', version: '1.2.3', silent_ms: 9000 },
    });
    node.isShut = true;
    const shut = await server.get('/ready');
    assert.deepEqual([shut.status, JSON.parse(shut.text).cluster.lease_ms], [503, 0]);
    const { text } = await server.get('/metrics');
    assert.match(text, /^sabre_ready 0$/m);
    assert.match(text, /^sabre_cluster_applied_sequence 7$/m);
    assert.match(text, /^sabre_cluster_node_lease_held\{node="a"\} 1$/m);
    assert.match(text, /^sabre_cluster_node_lease_held\{node="b"\} 0$/m);
  }));

test('/ready tells of the cluster also where reads wait for too long', () =>
  withNode(async (server) => {
    server.engine.readBacklogMs = 6400;
    let ready = await server.get('/ready');
    for (let i = 0; i < 1000 && ready.status === 200; i++) {
      await sleep(20);
      ready = await server.get('/ready');
    }
    const { error, cluster } = JSON.parse(ready.text);
    assert.match(error.message, /reads wait for 6400 ms/);
    assert.deepEqual([cluster.node, cluster.nodes.length], ['a', 2]);
  }));

test('a read that asks for a place of the log waits for it, and is refused where it does not come', () =>
  withNode(async (server, node) => {
    const read = (sequence: string) => server.get(SEARCH, { headers: { 'x-sabre-sequence': sequence } });
    assert.equal((await read('7')).status, 200);
    const late = read('9');
    while (node.waiting.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    assert.equal(node.waiting[0]?.sequence, 9);
    node.waiting[0]?.run();
    assert.equal((await late).status, 200);
    const never = read('10');
    while (node.waiting.length === 1) await new Promise((resolve) => setTimeout(resolve, 1));
    node.waiting[1]?.refuse();
    const refused = await never;
    assert.deepEqual([refused.status, errorCode(refused)], [503, 'overloaded']);
    for (const bad of ['x', '-1', '1.5', '9'.repeat(16)]) {
      const answer = await read(bad);
      assert.deepEqual([answer.status, errorCode(answer)], [400, 'invalid_request'], bad);
    }
  }));

test('a write tells the place up to which the node has applied the log, a read does not', () =>
  withNode(async (server) => {
    const write = await server.send('POST', '/collections/books/documents', { body: '{"id":"1"}' });
    assert.equal(write.status, 200);
    assert.equal(write.headers['x-sabre-sequence'], '7');
    assert.equal((await server.get(SEARCH)).headers['x-sabre-sequence'], undefined);
  }));

test('a refused write tells the place too, since an earlier one may be why it is refused', () =>
  withNode(async (server, node) => {
    server.engine.createCollection = () =>
      Promise.reject(new EngineError('collection_exists', 'the collection "books" exists'));
    const body = JSON.stringify({ name: 'books', fields: [{ name: 'title', type: 'text' }] });
    const again = await server.send('POST', '/collections', { body });
    assert.deepEqual([again.status, again.headers['x-sabre-sequence']], [409, '7']);
    const refused = await server.send('POST', '/collections', { body: '{' });
    assert.deepEqual([refused.status, refused.headers['x-sabre-sequence']], [400, '7']);
    node.isShut = true;
    const shut = await server.send('DELETE', '/collections/books/documents/1');
    assert.deepEqual([shut.status, shut.headers['x-sabre-sequence']], [503, undefined]);
  }));

test('nothing tells a place to who has no key, nor before there is one', () =>
  withNode(async (server, node) => {
    const path = '/collections/books/documents';
    server.engine.replicated = null;
    const early = await server.send('POST', '/nowhere', { body: '{}' });
    assert.deepEqual([early.status, early.headers['x-sabre-sequence']], [404, undefined]);
    const keyed = await startServer({ adminKey: 'a' }, { node: { guard: node, state: node.state } });
    keyed.engine.replicated = { appliedSequence: node.applied } as ReplicatedEngine;
    try {
      const refused = await keyed.send('POST', path, { body: '{"id":"1"}' });
      assert.deepEqual([refused.status, refused.headers['x-sabre-sequence']], [401, undefined]);
    } finally {
      keyed.stop();
    }
  }));

test('a server that is no node ignores what a read asks for, and tells nothing', async () => {
  const server = await startServer();
  try {
    const read = await server.get(SEARCH, { headers: { 'x-sabre-sequence': 'x' } });
    assert.equal(read.status, 200);
    const write = await server.send('POST', '/collections/books/documents', { body: '{"id":"1"}' });
    assert.equal(write.headers['x-sabre-sequence'], undefined);
    assert.equal((await server.get('/ready')).text, '{"ready":true}');
  } finally {
    server.stop();
  }
});
