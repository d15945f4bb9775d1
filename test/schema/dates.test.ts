/** The spellings of dates, accepted and refused. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDateMs } from '../../engine/schema/dates.js';

const NOON = Date.UTC(2024, 1, 29, 12, 34, 56);

test('date and time are joined by T, t or a space, and the offset may be missing', () => {
  for (const text of [
    '2024-02-29T12:34:56Z',
    '2024-02-29t12:34:56z',
    '2024-02-29 12:34:56',
    '2024-02-29T12:34:56+00:00',
    '2024-02-29T12:34:56-00:00',
    '2024-02-29T14:04:56+01:30',
    '2024-02-28T23:34:56-13:00',
  ]) {
    assert.equal(parseDateMs(text), NOON, text);
  }
});

test('a date alone is midnight UTC', () => {
  assert.equal(parseDateMs('1970-01-01'), 0);
  assert.equal(parseDateMs('1969-12-31'), -86_400_000);
  assert.equal(parseDateMs('0000-01-01'), -62_167_219_200_000);
  assert.equal(parseDateMs('9999-12-31T23:59:59.999Z'), 253_402_300_799_999);
});

test('a fraction has any number of digits and is cut to milliseconds', () => {
  assert.equal(parseDateMs('1970-01-01T00:00:00.5Z'), 500);
  assert.equal(parseDateMs('1970-01-01T00:00:00.05'), 50);
  assert.equal(parseDateMs('1970-01-01T00:00:00.0019999999999999999999Z'), 1);
  assert.equal(parseDateMs('1970-01-01T00:00:00.123456789+00:00'), 123);
  assert.equal(parseDateMs('1969-12-31T23:59:59.9999Z'), -1);
});

test('a leap second counts as the second after it, and only where UTC can have one', () => {
  const newYear = Date.UTC(2017, 0, 1);
  assert.equal(parseDateMs('2016-12-31T23:59:60Z'), newYear);
  assert.equal(parseDateMs('2016-12-31T23:59:60.25Z'), newYear + 250);
  assert.equal(parseDateMs('2017-01-01T00:59:60+01:00'), newYear);
  assert.equal(parseDateMs('2016-12-31T23:59:60+01:00'), null);
  assert.equal(parseDateMs('2016-12-30T23:59:60Z'), null);
  assert.equal(parseDateMs('2016-12-31T23:58:60Z'), null);
  assert.equal(parseDateMs('2016-12-31T23:59:61Z'), null);
});

test('only days of the calendar are accepted', () => {
  assert.notEqual(parseDateMs('2000-02-29'), null);
  for (const text of [
    '1900-02-29',
    '2023-02-29',
    '2024-02-30',
    '2024-04-31',
    '2024-00-01',
    '2024-13-01',
    '2024-01-00',
  ]) {
    assert.equal(parseDateMs(text), null, text);
  }
});

test('whatever else is no date', () => {
  for (const text of [
    '',
    '2024',
    '2024-01',
    '2024-1-01',
    '24-01-01',
    '12024-01-01',
    '+2024-01-01',
    '2024/01/01',
    '2024-01-01Z',
    '2024-01-01T',
    '2024-01-01T10',
    '2024-01-01T10:00',
    '2024-01-01T10:00Z',
    '2024-01-01T24:00:00Z',
    '2024-01-01T10:60:00Z',
    '2024-01-01T10:00:00.',
    '2024-01-01T10:00:00.Z',
    '2024-01-01T10:00:00,5Z',
    '2024-01-01T10:00:00+1:00',
    '2024-01-01T10:00:00+0100',
    '2024-01-01T10:00:00+24:00',
    '2024-01-01T10:00:00+01:60',
    '2024-01-01T10:00:00Z ',
    ' 2024-01-01',
    '2024-01-01T10:00:00ZZ',
    '2024-01-01_10:00:00Z',
    '２０２４-01-01',
    'yesterday',
  ]) {
    assert.equal(parseDateMs(text), null, text);
  }
});
