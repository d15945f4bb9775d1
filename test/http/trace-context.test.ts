/**
 * `traceparent` as W3C Trace Context (level 1) has it: what is taken, and what is as if it had not been sent.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HeaderWalk } from '../../src/http/header-walk.js';
import { joinTrace, startTrace, traceFields } from '../../src/http/trace-context.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';

test('a valid header is joined, with an id of our own below the one sent', () => {
  for (const [flags, isSampled] of [
    ['01', true],
    ['00', false],
    ['03', true],
    ['fe', false],
    ['ff', true],
  ] as const) {
    const joined = joinTrace(`00-${TRACE}-${PARENT}-${flags}`);
    assert.ok(joined !== null);
    assert.equal(joined.traceId, TRACE);
    assert.equal(joined.parentSpanId, PARENT);
    assert.equal(joined.isSampled, isSampled, flags);
    assert.match(joined.spanId, /^(?!0+$)[0-9a-f]{16}$/);
    assert.notEqual(joined.spanId, PARENT);
  }
});

test('a version to come is read as this one, whatever follows behind a hyphen', () => {
  for (const header of [`01-${TRACE}-${PARENT}-01`, `cc-${TRACE}-${PARENT}-01-what-else`, `fe-${TRACE}-${PARENT}-01-`])
    assert.equal(joinTrace(header)?.traceId, TRACE, header);
});

const INVALID: Readonly<Record<string, string>> = {
  nothing: '',
  'version ff': `ff-${TRACE}-${PARENT}-01`,
  'more than version 00 has': `00-${TRACE}-${PARENT}-01-more`,
  'a hyphen at the end of version 00': `00-${TRACE}-${PARENT}-01-`,
  'more without a hyphen': `01-${TRACE}-${PARENT}-01more`,
  'upper case in the trace': `00-${TRACE.toUpperCase()}-${PARENT}-01`,
  'upper case in the parent': `00-${TRACE}-${PARENT.toUpperCase()}-01`,
  'upper case in the flags': `00-${TRACE}-${PARENT}-0A`,
  'a trace of zeros': `00-${'0'.repeat(32)}-${PARENT}-01`,
  'a parent of zeros': `00-${TRACE}-${'0'.repeat(16)}-01`,
  'a short trace': `00-${TRACE.slice(1)}-${PARENT}-01`,
  'a long trace': `00-${TRACE}0-${PARENT}-01`,
  'a short parent': `00-${TRACE}-${PARENT.slice(1)}-01`,
  'no flags': `00-${TRACE}-${PARENT}`,
  'short flags': `00-${TRACE}-${PARENT}-1`,
  'a letter that is no digit': `00-${TRACE.replace('4', 'g')}-${PARENT}-01`,
  'another separator': `00_${TRACE}_${PARENT}_01`,
  'spaces within': `00-${TRACE} -${PARENT}-01`,
  'another version number': `0-${TRACE}-${PARENT}-01`,
};

for (const [what, header] of Object.entries(INVALID))
  test(`${what}: as if there were no header`, () => {
    assert.equal(joinTrace(header), null);
  });

test('a header that is sent twice is none', () => {
  const walk = new HeaderWalk();
  const value = `00-${TRACE}-${PARENT}-01`;
  walk.begin();
  walk.visit('traceparent', value);
  assert.equal(walk.traceParent, value);
  walk.visit('traceparent', value);
  assert.equal(walk.traceParent, '');
  walk.visit('traceparent', value);
  assert.equal(walk.traceParent, '');
  walk.begin();
  walk.visit('traceparent', value);
  assert.equal(walk.traceParent, value);
});

test('a trace that begins here has ids that differ, and no parent', () => {
  const [one, other] = [startTrace(), startTrace()];
  assert.match(one.traceId, /^[0-9a-f]{32}$/);
  assert.notEqual(one.traceId, other.traceId);
  assert.notEqual(one.spanId, other.spanId);
  assert.deepEqual(traceFields(one), { trace_id: one.traceId, span_id: one.spanId });
  assert.deepEqual(traceFields(null), {});
});
