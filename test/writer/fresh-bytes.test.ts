/**
 * What a collection has grown by since all of it was merged: from the start on, behind merges, and where it has become smaller meanwhile.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FreshBytes } from '../../engine/writer/merge/fresh-bytes.js';

test('what a start has found is not fresh, and what was not there then is', () => {
  const found = { segmentBytes: 100 };
  const fresh = new FreshBytes([found]);
  assert.equal(fresh.of(found), 0);
  found.segmentBytes = 130;
  assert.equal(fresh.of(found), 30);
  assert.equal(fresh.of({ segmentBytes: 70 }), 70);
});

test('after a merge of all of it growth begins anew, whatever the merge has made of it', () => {
  const collection = { segmentBytes: 100 };
  const fresh = new FreshBytes([]);
  fresh.noteMerged(collection);
  assert.equal(fresh.of(collection), 0);
  // Deleted documents were left out.
  collection.segmentBytes = 60;
  assert.equal(fresh.of(collection), 0);
  collection.segmentBytes = 90;
  assert.equal(fresh.of(collection), 30);
});

test('what was smaller meanwhile has grown from there', () => {
  const collection = { segmentBytes: 100 };
  const fresh = new FreshBytes([collection]);
  collection.segmentBytes = 20;
  assert.equal(fresh.of(collection), 0);
  collection.segmentBytes = 100;
  assert.equal(fresh.of(collection), 80);
  assert.equal(fresh.of(collection), 80, 'asking changes nothing');
});
