/**
 * Which client a request comes from: the peer, its /64, and what a trusted proxy says.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ClientAddresses, isNetwork } from '../../src/http/client-address.js';

const v4 = (text: string): Uint8Array => Uint8Array.from(text.split('.').map(Number));
const mapped = (text: string): Uint8Array => Uint8Array.from([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, ...v4(text)]);
const v6 = (...groups: number[]): Uint8Array => Uint8Array.from(groups.flatMap((group) => [group >> 8, group & 255]));

test('without trusted proxies the client is the peer, whatever the request says', () => {
  const clients = new ClientAddresses([]);
  assert.equal(clients.readsForwarded, false);
  assert.equal(clients.keyOf(v4('192.0.2.7'), '198.51.100.1'), '192.0.2.7');
  assert.equal(clients.keyOf(mapped('192.0.2.7'), ''), '192.0.2.7');
  assert.equal(clients.keyOf(new Uint8Array(0), ''), '');
});

test('addresses of one IPv6 /64 are one client', () => {
  const clients = new ClientAddresses([]);
  const key = clients.keyOf(v6(0x2001, 0xdb8, 0, 5, 1, 2, 3, 4), '');
  assert.equal(key, '2001:db8:0:5::/64');
  assert.equal(clients.keyOf(v6(0x2001, 0xdb8, 0, 5, 9, 9, 9, 9), ''), key);
  assert.notEqual(clients.keyOf(v6(0x2001, 0xdb8, 0, 6, 1, 2, 3, 4), ''), key);
});

test('behind a trusted proxy the client is the last address that no trusted proxy has', () => {
  const clients = new ClientAddresses(['10.0.0.0/8', '2001:db8:ffff::/48', '192.0.2.1']);
  const proxy = v4('10.1.2.3');
  assert.equal(clients.keyOf(proxy, '198.51.100.1'), '198.51.100.1');
  assert.equal(clients.keyOf(proxy, '1.1.1.1, 198.51.100.1 , 10.9.9.9,192.0.2.1'), '198.51.100.1');
  assert.equal(clients.keyOf(mapped('10.1.2.3'), '198.51.100.1:4711'), '198.51.100.1');
  assert.equal(clients.keyOf(proxy, '[2001:db8:1:2:3::4]:443'), '2001:db8:1:2::/64');
  assert.equal(clients.keyOf(proxy, '::ffff:198.51.100.1'), '198.51.100.1');
  assert.equal(clients.keyOf(proxy, '198.51.100.1, 2001:db8:ffff::9'), '198.51.100.1');
  assert.equal(clients.keyOf(v6(0x2001, 0xdb8, 0xffff, 0, 0, 0, 0, 1), '198.51.100.1'), '198.51.100.1');
});

test('a peer that is not trusted cannot say who it is', () => {
  const clients = new ClientAddresses(['10.0.0.0/8']);
  assert.equal(clients.keyOf(v4('203.0.113.9'), '198.51.100.1'), '203.0.113.9');
});

test('a list that says nothing, or nothing sound, counts as the proxy that sent it', () => {
  const clients = new ClientAddresses(['10.0.0.0/8']);
  const proxy = v4('10.1.2.3');
  for (const list of ['', 'unknown', '198.51.100.1, _hidden', '1.2.3', '300.1.1.1', '198.51.100.1,'])
    assert.equal(clients.keyOf(proxy, list), '10.1.2.3', list);
  assert.equal(clients.keyOf(proxy, 'unknown, 10.7.7.7'), '10.7.7.7');
});

test('what a client writes to the left never changes who it is', () => {
  const clients = new ClientAddresses(['10.0.0.0/8']);
  fc.assert(
    fc.property(fc.string(), fc.ipV4(), (forged, address) => {
      fc.pre(!address.startsWith('10.'));
      assert.equal(clients.keyOf(v4('10.0.0.1'), `${forged}, ${address}`), address);
    }),
  );
});

test('every IPv6 address has the key of its first four groups, however it is written', () => {
  const clients = new ClientAddresses(['10.0.0.0/8']);
  fc.assert(
    fc.property(fc.ipV6(), (address) => {
      const { hostname } = new URL(`http://[${address}]/`);
      const written = clients.keyOf(v4('10.0.0.1'), address);
      assert.equal(clients.keyOf(v4('10.0.0.1'), hostname), written);
    }),
  );
});

test('networks are addresses with or without their bits', () => {
  for (const good of ['10.0.0.0/8', '127.0.0.1', '::1', '2001:db8::/32', '0.0.0.0/0'])
    assert.equal(isNetwork(good), true);
  for (const bad of ['', 'proxy', '10.0.0.0/33', '::/129', '10.0.0/8', '10.0.0.0/', '10.0.0.0/8/9', 'fe80::1%eth0'])
    assert.equal(isNetwork(bad), false, bad);
});
