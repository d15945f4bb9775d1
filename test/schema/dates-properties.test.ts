/** Dates against the platform's own arithmetic. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseDateMs } from '../../engine/schema/dates.js';

const YEAR_0_MS = -62_167_219_200_000;
const YEAR_9999_END_MS = 253_402_300_799_999;

test('what Date prints is read back to the millisecond', () => {
  fc.assert(
    fc.property(fc.integer({ min: YEAR_0_MS, max: YEAR_9999_END_MS }), (ms) => {
      assert.equal(parseDateMs(new Date(ms).toISOString()), ms);
    }),
    { numRuns: 5000 },
  );
});

test('an offset moves the instant and nothing else', () => {
  const offset = fc.tuple(fc.boolean(), fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }));
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4e12 }), offset, (ms, [ahead, hours, minutes]) => {
      const local = new Date(ms).toISOString().slice(0, -1);
      const text = `${local}${ahead ? '+' : '-'}${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`;
      assert.equal(parseDateMs(text), ms - (ahead ? 1 : -1) * (hours * 60 + minutes) * 60_000);
    }),
  );
});

test('a day is accepted exactly if the calendar has it', () => {
  const date = fc.tuple(fc.integer({ min: 1, max: 9999 }), fc.nat(15), fc.nat(35));
  fc.assert(
    fc.property(date, ([year, month, day]) => {
      const pad = (value: number, length: number) => String(value).padStart(length, '0');
      const text = `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`;
      const platform = new Date(`${text}T00:00:00Z`);
      const valid = !Number.isNaN(platform.getTime()) && platform.getUTCDate() === day;
      assert.equal(parseDateMs(text), valid ? platform.getTime() : null, text);
    }),
    { numRuns: 3000 },
  );
});
