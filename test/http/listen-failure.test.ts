/**
 * What is said where an address cannot be listened on.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';
import { describeListenFailure } from '../../src/http/listen-failure.js';

test('a port in use is named, with another one to choose', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  try {
    assert.equal(
      await describeListenFailure('127.0.0.1', port),
      `cannot listen on 127.0.0.1:${port}: port ${port} is in use. Stop the program that has it, perhaps another Sabre, ` +
        `or choose another port, for example --listen 127.0.0.1:${port + 1}`,
    );
  } finally {
    other.close();
  }
});

test('an address of another machine, and a name without an address, are told apart', async () => {
  // 192.0.2.0/24 and .invalid are reserved: RFC 5737, RFC 6761.
  assert.match(await describeListenFailure('192.0.2.1', 8108), /does not have the address 192\.0\.2\.1/);
  assert.match(await describeListenFailure('nowhere.invalid', 8108), /no address for the name nowhere\.invalid/);
});

test('an address that is free after all is worth another attempt', async () => {
  assert.match(await describeListenFailure('127.0.0.1', 0), /try again/);
});
