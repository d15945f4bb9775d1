/** A query string that was read before is read the same again, of the same collection and in the same format, in bounds. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RememberedRequests } from '../../src/routes/remembered-requests.js';
import { SEARCH_DEFAULTS } from '../support/search-request.js';

const requestOf = (collection: string, q: string) => ({ ...SEARCH_DEFAULTS, collection, q });

test('a request is remembered for its collection and format', () => {
  const requests = new RememberedRequests();
  const request = requestOf('books', 'rose');
  requests.keep('q=rose', request);
  assert.equal(requests.get('q=rose', 'books', 'json'), request);
  assert.equal(requests.get('q=rose', 'films', 'json'), undefined);
  assert.equal(requests.get('q=rose', 'books', 'msgpack'), undefined);
  assert.equal(requests.get('q=roses', 'books', 'json'), undefined);
});

test('neither long query strings are remembered, nor more than some', () => {
  const requests = new RememberedRequests();
  const long = `q=${'x'.repeat(1000)}`;
  requests.keep(long, requestOf('books', 'x'));
  assert.equal(requests.get(long, 'books', 'json'), undefined);
  for (let i = 0; i < 5000; i++) requests.keep(`q=${i}`, requestOf('books', `${i}`));
  const known = Array.from({ length: 5000 }, (_, i) => requests.get(`q=${i}`, 'books', 'json'));
  assert.equal(known.at(-1)?.q, '4999');
  assert.ok(known.filter((each) => each !== undefined).length <= 1024);
});
