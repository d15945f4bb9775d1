/**
 * The memory budget's decisions, with figures made up for each.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { EngineError } from '../../engine/core/errors.js';
import { MemoryBudget } from '../../engine/memory/memory-budget.js';

const MIB = 1 << 20;

/** A budget whose figures can be set. */
class Figures {
  known = 0;
  /** Of what is known. */
  estimated = 0;
  isFilling = false;
  process: number | null = null;
  nowMs = 0;
  readonly budget: MemoryBudget;

  constructor(bytesMax: number) {
    this.budget = new MemoryBudget(bytesMax, {
      knownBytes: () => this.known,
      countedBytes: () => this.known - this.estimated,
      isFilling: () => this.isFilling,
      processBytes: () => this.process,
      nowMs: () => this.nowMs,
    });
  }

  /** What the system counts from now on. */
  count(bytes: number): void {
    this.process = bytes;
    this.nowMs += 1000;
  }
}

const isFull = (error: unknown): boolean => error instanceof EngineError && error.code === 'memory_full';

test('documents are refused exactly where they would reach into the reserve, and merges halfway through it', () => {
  const figures = new Figures(1024 * MIB);
  const { budget } = figures;
  assert.equal(budget.reserveBytes, 128 * MIB);
  figures.count(100 * MIB);
  budget.measureBase();
  figures.known = 700 * MIB;
  assert.doesNotThrow(() => budget.claim(96 * MIB));
  assert.throws(() => budget.claim(96 * MIB + 1), isFull);
  assert.equal(budget.mergeRoomBytes, (1024 - 64 - 800) * MIB);
  figures.known = 900 * MIB;
  assert.throws(() => budget.claim(0), isFull);
  assert.equal(budget.mergeRoomBytes, 0);
});

test('a refusal says how much is wanted more, or that too much is used already, never that nothing is wanted', () => {
  const figures = new Figures(1024 * MIB);
  figures.count(100 * MIB);
  figures.budget.measureBase();
  figures.known = 700 * MIB;
  assert.throws(
    () => figures.budget.claim(200 * MIB),
    /no memory for 209715200 bytes more: of 1073741824 bytes, 838860800 are/,
  );
  figures.known = 900 * MIB;
  assert.throws(
    () => figures.budget.claim(0),
    /memory: expected at most 939524096 of 1073741824 bytes in use, got 1048576000 \(134217728 are kept/,
  );
});

test('the reserve is an eighth within its bounds', () => {
  assert.equal(new Figures(128 * MIB).budget.reserveBytes, 16 * MIB);
  assert.equal(new Figures(64 * 1024 * MIB).budget.reserveBytes, 1024 * MIB);
});

test('what nobody knows of is refused for too, once the system counts more than the budget', () => {
  const figures = new Figures(512 * MIB);
  figures.count(100 * MIB);
  figures.budget.measureBase();
  figures.count(512 * MIB);
  assert.doesNotThrow(() => figures.budget.claim(0));
  figures.count(512 * MIB + 1);
  assert.throws(() => figures.budget.claim(0), isFull);
  assert.equal(figures.budget.mergeRoomBytes, 0);
  figures.count(300 * MIB);
  assert.doesNotThrow(() => figures.budget.claim(0));
});

test('garbage that was counted at the start does not take room for ever', () => {
  const figures = new Figures(512 * MIB);
  figures.known = 50 * MIB;
  figures.count(350 * MIB);
  figures.budget.measureBase();
  assert.equal(figures.budget.baseBytes, 300 * MIB);
  figures.count(150 * MIB);
  figures.budget.lowerBase();
  assert.equal(figures.budget.baseBytes, 100 * MIB);
  figures.count(400 * MIB);
  figures.budget.lowerBase();
  assert.equal(figures.budget.baseBytes, 100 * MIB);
});

test('estimates of what waits and of caches do not lower what the process takes anyway', () => {
  const figures = new Figures(512 * MIB);
  figures.count(100 * MIB);
  figures.budget.measureBase();
  figures.known = 170 * MIB;
  figures.estimated = 120 * MIB;
  figures.count(160 * MIB);
  figures.budget.lowerBase();
  assert.equal(figures.budget.baseBytes, 100 * MIB);
  figures.count(140 * MIB);
  figures.budget.lowerBase();
  assert.equal(figures.budget.baseBytes, 90 * MIB);
});

test('estimates that were there from the start stay apart from what the process takes anyway', () => {
  const figures = new Figures(512 * MIB);
  figures.known = 100 * MIB;
  figures.estimated = 100 * MIB;
  figures.count(240 * MIB);
  figures.budget.measureBase();
  assert.equal(figures.budget.baseBytes, 140 * MIB);
  figures.known = 150 * MIB;
  figures.estimated = 150 * MIB;
  figures.count(160 * MIB);
  figures.budget.lowerBase();
  assert.equal(figures.budget.baseBytes, 60 * MIB);
});

test('a region that a merge is going to fill does not lower what the process takes anyway', () => {
  const figures = new Figures(512 * MIB);
  figures.count(100 * MIB);
  figures.budget.measureBase();
  figures.known = 80 * MIB;
  figures.isFilling = true;
  figures.count(110 * MIB);
  figures.budget.lowerBase();
  assert.equal(figures.budget.baseBytes, 100 * MIB);
  figures.isFilling = false;
  figures.count(170 * MIB);
  figures.budget.lowerBase();
  assert.equal(figures.budget.baseBytes, 90 * MIB);
});

test('nothing is refused while the log is replayed', () => {
  const figures = new Figures(128 * MIB);
  figures.budget.isEnforced = false;
  figures.known = 1024 * MIB;
  assert.doesNotThrow(() => figures.budget.claim(100 * MIB));
  figures.budget.isEnforced = true;
  assert.throws(() => figures.budget.claim(0), isFull);
});

test('a snapshot is wanted from half of the room on, if it frees something, and sooner when documents were refused', () => {
  const figures = new Figures(1000 * MIB);
  const { budget } = figures;
  figures.count(75 * MIB);
  budget.measureBase();
  assert.equal(budget.roomBytes, 800 * MIB);
  figures.known = 399 * MIB;
  assert.ok(!budget.wantsSnapshot(399 * MIB, false));
  assert.ok(budget.wantsSnapshot(399 * MIB, true));
  figures.known = 400 * MIB;
  assert.ok(budget.wantsSnapshot(400 * MIB, false));
  assert.ok(!budget.wantsSnapshot(99 * MIB, false), 'what it frees is not worth it');
  figures.known = 801 * MIB;
  assert.ok(budget.wantsSnapshot(13 * MIB, false), 'every bit counts when documents are refused');
  assert.ok(!budget.wantsSnapshot(12 * MIB, false));
});

test('whatever is claimed bit by bit, what is known of never exceeds what documents may take', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 128, max: 4096 }),
      fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 60 }),
      (budgetMib, claims) => {
        const figures = new Figures(budgetMib * MIB);
        figures.count(90 * MIB);
        figures.budget.measureBase();
        for (const mib of claims) {
          const fits = figures.budget.hasRoom(mib * MIB);
          if (fits) figures.known += mib * MIB;
          else assert.throws(() => figures.budget.claim(mib * MIB), isFull);
          assert.ok(figures.known === 0 || figures.budget.usedBytes <= figures.budget.writeBytesMax);
        }
      },
    ),
  );
});
