/**
 * What a node demands of its NATS servers: who it is there, and that the stream is the one that it has made.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { StorageType } from '@nats-io/jetstream';
import { NatsLink } from '../../src/cluster/nats-link.js';
import { clusterNames } from '../../src/cluster/nats-names.js';
import { reasonOf } from '../../src/cluster/nats-reason.js';
import { NatsStream } from '../../src/cluster/nats-stream.js';
import { NatsServers, needingNats } from '../support/nats-server.js';
import { clusterOptions, until } from './test-node.js';

test('a stream that is not ours is refused by name, with what is wrong about it', needingNats(), async () => {
  const nats = await NatsServers.start({ extra: 'authorization { user: sabre, password: "s3cret" }' });
  const { access } = clusterOptions(nats.urls, 'a');
  const names = clusterNames('test');
  const link = await NatsLink.connect({
    servers: nats.urls,
    name: 'test',
    access: { ...access, user: 'sabre', password: 's3cret' },
  });
  try {
    await assert.rejects(NatsLink.connect({ servers: nats.urls, name: 'test', access }), /authorization/i);
    const { id } = await NatsStream.open(link, names, null);
    assert.equal((await NatsStream.open(link, names, null)).id, id);
    await link.manager.streams.delete(names.stream);
    const other = await NatsStream.open(link, names, null);
    assert.notEqual(other.id, id);
    await link.manager.streams.delete(names.stream);
    await link.manager.streams.add({ name: names.stream, subjects: ['other'], storage: StorageType.Memory });
    await assert.rejects(
      NatsStream.open(link, names, null),
      /SABRE_test cannot be used: it was not made by this version of Sabre, its subjects are other, it is kept in memory/,
    );
  } finally {
    await link.close();
    await nats.close();
  }
});

test(
  'an attempt to store a message behind another than the last is refused, as is a repeated one',
  needingNats(),
  async () => {
    const nats = await NatsServers.start();
    const { access } = clusterOptions(nats.urls, 'a');
    const link = await NatsLink.connect({ servers: nats.urls, name: 'test', access });
    try {
      const stream = await NatsStream.open(link, clusterNames('test'), null);
      const origin = '00000000000000aa';
      const bytes = new TextEncoder().encode('content');
      const publish = (counter: number, previous: number) => stream.publish({ origin, counter, previous, bytes }, 2000);
      assert.deepEqual(await publish(1, 0), { kind: 'stored', sequence: 1 });
      assert.deepEqual(await publish(1, 0), { kind: 'overtaken' });
      assert.equal((await stream.lastOf(origin))?.sequence, 1);
      assert.deepEqual(await publish(2, 1), { kind: 'stored', sequence: 2 });
      assert.deepEqual(await publish(3, 1), { kind: 'overtaken' });
      const last = await stream.lastOf(origin);
      assert.equal(last?.sequence, 2);
      assert.deepEqual([...(last?.bytes ?? [])], [...bytes]);
      assert.equal(await stream.lastOf('00000000000000bb'), null);
      assert.deepEqual(await stream.info(), { first: 1, last: 2, bytes: (await stream.info())?.bytes });
      await nats.kill(0);
      const { kind } = await publish(4, 2);
      assert.ok(kind === 'not stored' || kind === 'unknown', kind);
    } finally {
      await link.close();
      await nats.close();
    }
  },
);

test(
  'a server that does nothing for five seconds is left for another, not one that did something',
  needingNats(),
  async () => {
    const nats = [await NatsServers.start(), await NatsServers.start()];
    const urls = nats.flatMap((each) => each.urls);
    const { access } = clusterOptions(urls, 'a');
    let nowMs = 0;
    const link = await NatsLink.connect({ servers: urls, name: 'test', access, now: () => nowMs });
    try {
      const before = link.server;
      const inVainAt = (ms: number): void => {
        nowMs = ms;
        link.noteInVain('in vain');
      };
      inVainAt(0);
      inVainAt(4999);
      link.noteDone();
      inVainAt(6000);
      // Too far apart: nobody knows what was between them.
      inVainAt(60_000);
      inVainAt(64_999);
      await link.connection.flush();
      assert.equal(link.server, before);
      // As far apart as what is asked of the snapshots.
      inVainAt(75_000);
      await until(() => link.server !== null && link.server !== before, 'another server');
    } finally {
      await link.close();
      for (const each of nats) await each.close();
    }
  },
);

test('servers that tell of each other and take no password are tried once each, and the reason is theirs', {
  ...needingNats(),
  timeout: 60_000,
}, async () => {
  const nats = await NatsServers.start({ servers: 3, extra: 'authorization { user: sabre, password: "s3cret" }' });
  const { access } = clusterOptions(nats.urls, 'a');
  try {
    const wrong = NatsLink.connect({
      servers: nats.urls,
      name: 'test',
      access: { ...access, user: 'sabre', password: 'x' },
    });
    await assert.rejects(Promise.race([wrong, failAfter(10_000)]), /authorization violation/i);
    const link = await NatsLink.connect({
      servers: nats.urls,
      name: 'test',
      access: { ...access, user: 'sabre', password: 's3cret' },
    });
    await link.close();
  } finally {
    await nats.close();
  }
});

test('the same reason has the same words each time, and names the user', () => {
  const reason = (name: string): string =>
    reasonOf(new Error(`Permissions Violation for Subscription to "_INBOX.${name}.*"`), 'sabre');
  assert.equal(reason('UO2eAAA'), 'Permissions Violation for Subscription to "_INBOX.>" (of the user sabre)');
  assert.equal(reason('UO2eBBB'), reason('UO2eAAA'));
  assert.equal(reasonOf('timeout', 'sabre'), 'timeout');
});

async function failAfter(ms: number): Promise<never> {
  await sleep(ms, undefined, { ref: false });
  throw new Error(`not within ${ms} ms`);
}
