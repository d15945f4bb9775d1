/**
 * One search on several readers, over every interleaving up to a bound and random ones beyond: each chunk is taken once, the
 * starter has what came of all of them, no helper works at what it has not prepared, and nobody sleeps forever.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { AtomicWords } from '../../engine/channel/atomic-words.js';
import { CONTROL_WORDS, WORD } from '../../engine/channel/control-words.js';
import { ReadLoop, readerBell } from '../../engine/channel/read-loop.js';
import { createShareRooms, SearchHelper, SearchShare } from '../../engine/channel/search-share.js';
import { PART_DONE, PART_LENT, ShareBoard } from '../../engine/channel/share-board.js';
import { TASK_STATES } from '../../engine/channel/share-task.js';
import { ANYWHERE } from '../../engine/channel/wake-apart.js';
import { exploreAll, exploreOne, type Model, type ModelThread } from './model/explore.js';

const READERS_MAX = 5;
const CHUNKS_MAX = 8;
/**
 * Words of the model itself: the request in a slot, what a helper has collected, what it has lent, what a starter has collected, what was added
 * up for it, and who has taken each chunk of a request.
 */
const REQUEST = CONTROL_WORDS;
const PART = REQUEST + READERS_MAX;
const LENT = PART + READERS_MAX;
const OWN = LENT + READERS_MAX;
const TOTAL = OWN + READERS_MAX;
const TAKEN = TOTAL + READERS_MAX;

const rooms = createShareRooms(READERS_MAX);
const SHARING = { aboveUs: 0, helpersMax: READERS_MAX };

function takeChunks(words: AtomicWords, request: number, first: number, end: number): number {
  for (let chunk = first; chunk < end; chunk++)
    assert.equal(words.add(TAKEN + request * CHUNKS_MAX + chunk, 1), 0, 'a chunk is taken once');
  return end - first;
}

/**
 * What went wrong in a helper's work. What a helper does when its work throws is one more operation, before which the model
 * stops it, and the error would be lost.
 */
let failure: unknown = null;

function noting<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof assert.AssertionError) failure = error;
    throw error;
  }
}

/** Fails when a helper's work has. */
function check(): void {
  const error = failure;
  failure = null;
  if (error !== null) throw error;
}

/** Adds up what `helper` has lent and `starter` has collected. */
const addUp = (words: AtomicWords, helper: number, starter: number): void =>
  words.store(TOTAL + starter, words.load(LENT + helper) + words.load(OWN + starter));

/** What a starter does with what is lent: reads it and gives it back at once, or with the offer; has it added up, or loses interest in that. */
type Use = 'gives' | 'keeps' | 'totals' | 'drops' | 'hurries';

/** Answers `requests` one after the other in the slot of its own number, each of `chunks` chunks and shares what it can. */
const starter =
  (reader: number, readers: number, requests: readonly number[], chunks: number, use: Use = 'gives'): ModelThread =>
  (words) => {
    const share = new SearchShare(words, reader, readers, rooms, SHARING, ANYWHERE);
    const board = new ShareBoard(words, readers);
    for (const request of requests) {
      words.store(REQUEST + reader, request);
      share.beginSlot(reader, true);
      share.begin(request);
      if (share.offer({ costUs: 1, chunks, foundBefore: -1, partWords: 1 })) {
        let collected = 0;
        while (share.take()) collected += takeChunks(words, request, share.first, share.end);
        assert.ok(share.close() !== null);
        const mayAsk = use !== 'gives' && use !== 'keeps';
        if (mayAsk) words.store(OWN + reader, collected);
        let adder = readers;
        const isAsked =
          mayAsk &&
          share.askForTotals(() => {
            adder = (words.load(WORD.SHARE_TASK) - 1) / TASK_STATES;
            return true;
          });
        if (isAsked && use === 'totals') share.takeTotals(() => addUp(words, adder, reader));
        if (isAsked && use !== 'drops') collected = words.load(TOTAL + reader);
        for (let helper = 0; helper < readers; helper++) {
          const end = board.partOf(helper);
          if (isAsked && helper === adder) continue;
          if (end === PART_DONE) collected += words.load(PART + helper);
          else if (end === PART_LENT) collected += words.load(LENT + helper);
        }
        if (use === 'gives') share.giveBack();
        share.release();
        if (use !== 'drops' || !isAsked) assert.equal(collected, chunks, 'the starter has every chunk');
      }
      words.store(REQUEST + reader, 0);
    }
  };

/**
 * Takes a part in what it finds on the board. `prepared` is called once it knows what it works at; `lends`: it lends what came of it.
 */
function help(
  words: AtomicWords,
  helper: SearchHelper,
  reader: number,
  prepared = (): void => {},
  lends = false,
): void {
  helper.help(
    () => false,
    ({ slot, version }) =>
      noting(() => {
        const request = words.load(REQUEST + slot);
        if (!helper.isWanted()) return false;
        assert.equal(request, version, 'what was read was what was described');
        prepared();
        let collected = 0;
        while (helper.take()) {
          assert.equal(words.load(REQUEST + slot), request, 'what it works at is still asked for');
          collected += takeChunks(words, request, helper.first, helper.end);
        }
        const isLent = lends && collected > 0 && helper.lend(() => addUp(words, reader, slot));
        words.store((isLent ? LENT : PART) + reader, collected);
        return true;
      }),
  );
}

/** Reads something else, for which it has use of the memory that it lends, unless that is lent. */
function readOther(words: AtomicWords, helper: SearchHelper, reader: number, isLent: boolean): boolean {
  const isStillLent = isLent && !helper.isBack();
  if (!isStillLent) words.store(LENT + reader, 0);
  return isStillLent;
}

/** Looks at the board `times` times. */
const helper =
  (reader: number, readers: number, times: number, lends = false): ModelThread =>
  (words) => {
    const own = new SearchHelper(words, reader, readers, rooms, 0);
    const board = new ShareBoard(words, readers);
    let isLent = false;
    for (let i = 0; i < times; i++) {
      if (!board.hasWork(reader)) continue;
      isLent = readOther(words, own, reader, isLent);
      help(words, own, reader, () => {}, lends);
      isLent = readOther(words, own, reader, lends);
    }
  };

/** Name, threads, and how often a thread must give way though it could go on. */
const SMALL: readonly (readonly [string, Model, number])[] = [
  ['a starter and a helper', { threads: [starter(1, 2, [1], 2), helper(0, 2, 1)] }, Number.POSITIVE_INFINITY],
  ['two searches and a helper that may be late', { threads: [starter(1, 2, [1, 2], 2), helper(0, 2, 2)] }, 4],
  ['a helper that lends', { threads: [starter(1, 2, [1], 2), helper(0, 2, 1, true)] }, Number.POSITIVE_INFINITY],
  ['a helper that lends to two searches', { threads: [starter(1, 2, [1, 2], 2), helper(0, 2, 2, true)] }, 4],
  ['what is lent goes back with the offer', { threads: [starter(1, 2, [1], 2, 'keeps'), helper(0, 2, 1, true)] }, 4],
  [
    'a helper that adds up',
    { threads: [starter(1, 2, [1], 2, 'totals'), helper(0, 2, 1, true)] },
    Number.POSITIVE_INFINITY,
  ],
  ['a helper that adds up twice', { threads: [starter(1, 2, [1, 2], 2, 'totals'), helper(0, 2, 2, true)] }, 4],
  ['a starter that loses interest', { threads: [starter(1, 2, [1, 2], 2, 'drops'), helper(0, 2, 2, true)] }, 4],
  [
    'one of two helpers adds up',
    { threads: [starter(1, 3, [1], 3, 'totals'), helper(0, 3, 1, true), helper(2, 3, 1, true)] },
    2,
  ],
  [
    'a starter that loses interest, and another',
    { threads: [starter(1, 3, [1], 2, 'drops'), starter(2, 3, [2], 2, 'totals'), helper(0, 3, 2, true)] },
    3,
  ],
  ['two helpers, one of which lends', { threads: [starter(1, 3, [1], 2), helper(0, 3, 1, true), helper(2, 3, 1)] }, 3],
  ['two helpers', { threads: [starter(1, 3, [1], 3), helper(0, 3, 1), helper(2, 3, 1)] }, 3],
  ['two starters and a helper', { threads: [starter(1, 3, [1], 2), starter(2, 3, [2], 2), helper(0, 3, 2)] }, 3],
];

for (const [name, model, preemptions] of SMALL) {
  test(`every interleaving: ${name}`, (context) => {
    const { states, ends } = exploreAll({ ...model, check }, preemptions);
    context.diagnostic(`${states} states, ${ends} of them ends`);
    assert.ok(ends > 0);
  });
}

test('random interleavings of more starters, helpers and chunks', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 2 }),
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 2, max: CHUNKS_MAX }),
      fc.constantFrom<Use>('gives', 'keeps', 'totals', 'drops'),
      fc.infiniteStream(fc.nat(0xffff)),
      (starters, helpers, chunks, use, draws) => {
        const readers = starters + helpers;
        const threads = Array.from({ length: readers }, (_, reader) =>
          reader < starters
            ? starter(reader, readers, [3 * reader + 1, 3 * reader + 2], chunks, use)
            : helper(reader, readers, 3, reader % 2 === 0),
        );
        exploreOne({ threads, check }, (below) => (draws.next().value as number) % below);
      },
    ),
    { numRuns: 300 },
  );
});

/** One reader offers a search, and another, which sleeps or is about to, helps. `isCalled`: it is called before there is anything to be done. */
function sleepingHelper(isCalled: boolean): Model {
  const waiting: ModelThread = (words) => {
    const share = new SearchShare(words, 1, 2, rooms, SHARING, ANYWHERE);
    words.store(REQUEST + 1, 1);
    share.beginSlot(1, true);
    share.begin(1);
    if (isCalled) share.callHelper();
    assert.ok(share.offer({ costUs: 1, chunks: 2, foundBefore: -1, partWords: 1 }));
    while (words.load(PART) === 0) words.wait(PART, 0);
    assert.ok(share.close() !== null);
    share.release();
    words.store(WORD.STOP, 1);
    readerBell(words, 0).ring();
  };
  const sleeping: ModelThread = (words) => {
    const loop = new ReadLoop(words, 0, 2);
    let hasHelped = false;
    const handler = {
      serve: () => true,
      help: () => {
        help(words, new SearchHelper(words, 0, 2, rooms), 0);
        words.notify(PART);
        hasHelped = true;
      },
      idle: () => {},
      rest: () => {},
    };
    while (!hasHelped) loop.step(handler);
  };
  return { threads: [waiting, sleeping], check };
}

test('every interleaving: a reader that sleeps is woken to help', () => {
  assert.ok(exploreAll(sleepingHelper(false), 4).ends > 0);
});

test('every interleaving: a reader that is called early is there when it is to help', () => {
  assert.ok(exploreAll(sleepingHelper(true), 4).ends > 0);
});

test('the exploration finds a helper that takes chunks before it says so', () => {
  const hasty: ModelThread = (words) => {
    const board = new ShareBoard(words, 2);
    if (!board.hasWork(0) || board.join() === null) return;
    if (board.take(1)) {
      takeChunks(words, 1, board.first, board.end);
      board.begin();
      words.store(PART, board.end - board.first);
      board.noteEnd(0, PART_DONE);
      board.finish();
    }
    board.leave();
  };
  assert.throws(() => exploreAll({ threads: [starter(1, 2, [1], 2), hasty] }), /has every chunk/);
});

test('the exploration finds a job that is opened while a helper of the last one has not left', () => {
  const leaving: ModelThread = (words) => {
    const helper = new SearchHelper(words, 0, 2, rooms);
    if (new ShareBoard(words, 2).hasWork(0)) help(words, helper, 0, () => void words.add(WORD.SHARE_HELPERS, -1));
  };
  const model: Model = { threads: [starter(1, 2, [1, 2], 2), leaving], check };
  assert.throws(() => exploreAll(model), /still asked for/);
});

test('the exploration finds a starter that does not wait for what is added up', () => {
  const model: Model = { threads: [starter(1, 2, [1], 2, 'hurries'), helper(0, 2, 1, true)], check };
  assert.throws(() => exploreAll(model), /has every chunk/);
});

test('the exploration finds a helper that has use for what it has lent before that was read', () => {
  const restless: ModelThread = (words) => {
    const board = new ShareBoard(words, 2);
    if (!board.hasWork(0) || board.join() === null) return;
    board.begin();
    let collected = 0;
    while (board.take(1)) collected += takeChunks(words, 1, board.first, board.end);
    words.store(LENT, collected);
    if (collected > 0) board.noteEnd(0, PART_LENT);
    board.finish();
    words.store(LENT, 0);
    board.leave();
  };
  assert.throws(() => exploreAll({ threads: [starter(1, 2, [1], 2), restless] }), /has every chunk/);
});
