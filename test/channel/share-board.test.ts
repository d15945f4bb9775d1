/**
 * One search on several readers, over every interleaving up to a bound and random ones beyond: each chunk is taken once, the
 * starter has what came of all of them, no helper works at what it has not prepared, and nobody sleeps forever.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { WORD } from '../../engine/channel/control-words.js';
import { ReadLoop, readerBell } from '../../engine/channel/read-loop.js';
import { SearchHelper, SearchShare } from '../../engine/channel/search-share.js';
import { PART_DONE, PART_LENT, ShareBoard } from '../../engine/channel/share-board.js';
import { ANYWHERE } from '../../engine/channel/wake-apart.js';
import { exploreAll, exploreOne, type Model, type ModelThread } from './model/explore.js';
import {
  CHUNKS_MAX,
  check,
  help,
  helper,
  LENT,
  PART,
  REQUEST,
  rooms,
  SHARING,
  type Start,
  starter,
  TOTAL,
  takeChunks,
  type Use,
} from './model/share-actors.js';

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
  [
    'a search that is announced',
    { threads: [starter(1, 2, [1], 2, 'gives', 'announces'), helper(0, 2, 2)] },
    Number.POSITIVE_INFINITY,
  ],
  [
    'two that are announced, and a helper that lends',
    { threads: [starter(1, 2, [1, 2], 2, 'gives', 'announces'), helper(0, 2, 2, true)] },
    4,
  ],
  [
    'one that is announced and withdrawn, and another',
    { threads: [starter(1, 2, [1, 2], 2, 'gives', 'withdraws'), helper(0, 2, 2)] },
    4,
  ],
  [
    'one whose second stage is shared alone',
    { threads: [starter(1, 2, [1, 2], 2, 'gives', 'changes'), helper(0, 2, 2)] },
    4,
  ],
  [
    'two starters that announce, and a helper',
    {
      threads: [
        starter(1, 3, [1], 2, 'gives', 'announces'),
        starter(2, 3, [2], 2, 'gives', 'withdraws'),
        helper(0, 3, 2),
      ],
    },
    3,
  ],
  ['two helpers, one of which lends', { threads: [starter(1, 3, [1], 2), helper(0, 3, 1, true), helper(2, 3, 1)] }, 3],
  ['two helpers', { threads: [starter(1, 3, [1], 2), helper(0, 3, 1), helper(2, 3, 1)] }, 3],
  ['two helpers and more chunks', { threads: [starter(1, 3, [1], 3), helper(0, 3, 1), helper(2, 3, 1)] }, 2],
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
      fc.constantFrom<Start>('offers', 'announces', 'changes', 'withdraws'),
      fc.infiniteStream(fc.nat(0xffff)),
      (starters, helpers, chunks, use, start, draws) => {
        const readers = starters + helpers;
        const threads = Array.from({ length: readers }, (_, reader) =>
          reader < starters
            ? starter(reader, readers, [3 * reader + 1, 3 * reader + 2], chunks, use, start)
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
    if (isCalled) share.announce(2);
    assert.ok(share.offer({ costUs: 1, chunks: 2, foundBefore: -1, partWords: 1 }));
    while (words.load(TOTAL) === 0) words.wait(TOTAL, 0);
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
        help(words, new SearchHelper(words, 0, 2, rooms, 0, 0), 0);
        // Or has waited in vain for what was announced.
        words.store(TOTAL, 1);
        words.notify(TOTAL);
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

test('the exploration finds a starter that opens what it has not announced', () => {
  const hasty: ModelThread = (words) => {
    const board = new ShareBoard(words, 2);
    for (const version of [1, 2]) {
      words.store(REQUEST + 1, version);
      const isAnnounced = board.announce({ slot: 1, version, foundBefore: -1, chunks: 2 });
      // As if it were its own where a helper of the last one has not left yet.
      if (!isAnnounced) board.open();
      else {
        board.close();
        board.release();
      }
    }
  };
  assert.throws(() => exploreAll({ threads: [hasty, helper(0, 2, 2)], check }), /still asked for|was described/);
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
