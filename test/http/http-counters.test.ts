/**
 * What is counted of answers: each of a status that there is, whatever the method is called.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ERROR_STATUS } from '../../src/http/error-reply.js';
import { HttpCounters, NO_ROUTE } from '../../src/http/http-counters.js';
import { STATUSES } from '../../src/http/reply.js';

/** Those that some errors have in a second place are in error-codes.test.ts. */
const ERRORS = [...Object.values(ERROR_STATUS), 429, 504];

test('every status that errors have is counted', () => {
  const counters = new HttpCounters();
  for (const status of ERRORS) counters.count(null, 'GET', status);
  const counted = new Map<number, number>();
  counters.forEach((route, method, status, count) => {
    assert.deepEqual([route, method], [NO_ROUTE, 'GET']);
    counted.set(status, count);
  });
  for (const status of new Set(ERRORS)) {
    assert.ok(STATUSES.includes(status), `${status}`);
    assert.equal(counted.get(status), ERRORS.filter((one) => one === status).length);
  }
  assert.throws(() => counters.count(null, 'GET', 599), /599/);
});

test('methods that are named like what objects have are others', () => {
  const counters = new HttpCounters();
  for (const method of ['constructor', 'toString', '__proto__', 'BREW']) counters.count(null, method, 405);
  const counted: unknown[] = [];
  counters.forEach((...one) => void counted.push(one));
  assert.deepEqual(counted, [[NO_ROUTE, 'OTHER', 405, 4]]);
});
