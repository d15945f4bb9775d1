/** A query string that was read before is read the same again, of the same collection and in the same format, in bounds. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RequestNote } from '../../engine/index.js';
import { scopeOf } from '../../src/keys/key-scope.js';
import { type ReadSearch, RememberedRequests } from '../../src/routes/remembered-requests.js';
import { SEARCH_DEFAULTS } from '../support/search-request.js';

/** As two requests in a row do. */
function askTwice(requests: RememberedRequests, query: string, read: ReadSearch): void {
  requests.keep(query, read);
  requests.keep(query, read);
}

const requestOf = (collection: string, q: string) => ({
  request: { ...SEARCH_DEFAULTS, collection, q },
  unknown: [],
  scope: null,
  mark: '',
  last: null,
});

test('a request is remembered for its collection and format', () => {
  const requests = new RememberedRequests();
  const request = requestOf('books', 'rose');
  requests.keep('q=rose', request);
  assert.equal(requests.get('q=rose', 'books', 'json', null), undefined, 'it was asked once');
  requests.keep('q=rose', request);
  assert.equal(requests.get('q=rose', 'books', 'json', null), request);
  assert.equal(requests.get('q=rose', 'films', 'json', null), undefined);
  assert.equal(requests.get('q=rose', 'books', 'msgpack', null), undefined);
  assert.equal(requests.get('q=roses', 'books', 'json', null), undefined);
});

test('of a request that comes again the engine is told, the first time that it is remembered', () => {
  const requests = new RememberedRequests();
  const [first, second] = [new RequestNote(), new RequestNote()];
  const asked = (note: RequestNote) => ({
    ...requestOf('books', 'rose'),
    request: { ...SEARCH_DEFAULTS, collection: 'books', q: 'rose', note },
  });
  requests.keep('q=rose', asked(first));
  requests.keep('q=rose', asked(second));
  assert.deepEqual([first.isAskedAgain, second.isAskedAgain], [false, true]);
});

test("a request that one key asked is no other one's", () => {
  const requests = new RememberedRequests();
  const [first, second] = ['a:=1', 'a:=1'].map((filter) => scopeOf({ filter }));
  const request = { ...requestOf('books', 'rose'), scope: first };
  askTwice(requests, 'q=rose', request);
  assert.equal(requests.get('q=rose', 'books', 'json', first), request);
  assert.equal(requests.get('q=rose', 'books', 'json', second), undefined);
  assert.equal(requests.get('q=rose', 'books', 'json', null), undefined);
});

test('neither long query strings are remembered, nor more than some', () => {
  const requests = new RememberedRequests();
  const long = `q=${'x'.repeat(1000)}`;
  askTwice(requests, long, requestOf('books', 'x'));
  assert.equal(requests.get(long, 'books', 'json', null), undefined);
  for (let i = 0; i < 5000; i++) askTwice(requests, `q=${i}`, requestOf('books', `${i}`));
  const known = Array.from({ length: 5000 }, (_, i) => requests.get(`q=${i}`, 'books', 'json', null));
  assert.equal(known.at(-1)?.request.q, '4999');
  assert.ok(known.filter((each) => each !== undefined).length <= 1024);
});
