/**
 * Query strings against the URL standard's own parser, and the router against a regular expression.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseQueryString } from '../../src/http/query-string.js';
import { RequestError } from '../../src/http/request-error.js';
import { decodePathSegment, Router } from '../../src/http/router.js';

const text = fc.string({ unit: 'grapheme', maxLength: 20 });
const NAMES = ['q', 'filter', 'limit'];

test('what URLSearchParams writes is read back', () => {
  fc.assert(
    fc.property(fc.record({ q: text, filter: text, other: text }, { requiredKeys: [] }), (given) => {
      const query = new URLSearchParams(given as Record<string, string>).toString();
      assert.deepEqual(parseQueryString(query, NAMES), [given.q ?? null, given.filter ?? null, null]);
    }),
  );
});

test('encodeURIComponent is read back in queries and in paths', () => {
  fc.assert(
    fc.property(text, (value) => {
      assert.deepEqual(parseQueryString(`q=${encodeURIComponent(value)}`, ['q']), [value]);
      assert.equal(decodePathSegment(encodeURIComponent(value)), value);
    }),
  );
});

test('any string is read or refused with invalid_query, and agrees with URLSearchParams when read', () => {
  const piece = fc.constantFrom('q', 'limit', '=', '&', '%', '%2', '%41', '%ff', '%C3%A9', '+', 'x', 'é', '\ufffd', '');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 15 }), (pieces) => {
      const query = pieces.join('');
      try {
        const values = parseQueryString(query, NAMES);
        const expected = new URLSearchParams(query);
        assert.deepEqual(
          values,
          NAMES.map((name) => expected.get(name)),
        );
      } catch (error) {
        assert.ok(error instanceof RequestError);
        assert.equal(error.code, 'invalid_query');
      }
    }),
  );
});

test('the router agrees with regular expressions', () => {
  const endpoints = { GET: { access: 'public', handle: () => {} } } as const;
  const templates = ['/a', '/a/{x}', '/a/{x}/b', '/a/{x}/b/{y}'];
  const router = new Router(templates.map((template) => ({ template, endpoints })));
  const segment = fc.constantFrom('', 'a', 'b', 'c', '%2F');
  fc.assert(
    fc.property(fc.array(segment, { maxLength: 6 }), (segments) => {
      const path = `/${segments.join('/')}`;
      const expected = templates.find((template) =>
        new RegExp(`^${template.replaceAll(/\{\w\}/g, '[^/]+')}/?$`).test(path),
      );
      assert.equal(router.match(path)?.route.template, expected);
    }),
  );
});
