/**
 * Those who meet at the board of shared searches, as threads of a model: starters and helpers that say what went wrong.
 */
import assert from 'node:assert/strict';
import type { AtomicWords } from '../../../engine/channel/atomic-words.js';
import { CONTROL_WORDS, WORD } from '../../../engine/channel/control-words.js';
import { createShareRooms, SearchHelper, SearchShare } from '../../../engine/channel/search-share.js';
import { PART_DONE, PART_LENT, ShareBoard } from '../../../engine/channel/share-board.js';
import { TASK_STATES } from '../../../engine/channel/share-task.js';
import { ANYWHERE } from '../../../engine/channel/wake-apart.js';
import type { ModelThread } from './explore.js';

const READERS_MAX = 5;
export const CHUNKS_MAX = 8;
/**
 * Words of the model itself: the request in a slot, what a helper has collected, what it has lent, what a starter has collected, what was added
 * up for it, and who has taken each chunk of a request.
 */
export const REQUEST = CONTROL_WORDS;
export const PART = REQUEST + READERS_MAX;
export const LENT = PART + READERS_MAX;
const OWN = LENT + READERS_MAX;
export const TOTAL = OWN + READERS_MAX;
const TAKEN = TOTAL + READERS_MAX;

export const rooms = createShareRooms(READERS_MAX);
export const SHARING = { aboveUs: 0, helpersMax: READERS_MAX };

export function takeChunks(words: AtomicWords, request: number, first: number, end: number): number {
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
export function check(): void {
  const error = failure;
  failure = null;
  if (error !== null) throw error;
}

/** Adds up what `helper` has lent and `starter` has collected. */
const addUp = (words: AtomicWords, helper: number, starter: number): void =>
  words.store(TOTAL + starter, words.load(LENT + helper) + words.load(OWN + starter));

/** What a starter does with what is lent: reads it and gives it back at once, or with the offer; has it added up, or loses interest in that. */
export type Use = 'gives' | 'keeps' | 'totals' | 'drops' | 'hurries';

/** What a starter does before it offers: nothing; announces it; announces it, and offers a second stage alone; announces the first one, and offers nothing. */
export type Start = 'offers' | 'announces' | 'changes' | 'withdraws';

/** Answers `requests` one after the other in the slot of its own number, each of `chunks` chunks and shares what it can. */
export const starter =
  (
    reader: number,
    readers: number,
    requests: readonly number[],
    chunks: number,
    use: Use = 'gives',
    start: Start = 'offers',
  ): ModelThread =>
  (words) => {
    const share = new SearchShare(words, reader, readers, rooms, SHARING, ANYWHERE);
    const board = new ShareBoard(words, readers);
    for (const request of requests) {
      words.store(REQUEST + reader, request);
      share.beginSlot(reader, true);
      share.begin(request);
      if (start !== 'offers') share.announce(chunks);
      const isOffered = start !== 'withdraws' || request !== requests[0];
      if (isOffered && share.offer({ costUs: 1, chunks, foundBefore: start === 'changes' ? 0 : -1, partWords: 1 })) {
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
      share.withdraw();
      words.store(REQUEST + reader, 0);
    }
  };

/**
 * Takes a part in what it finds on the board. `prepared` is called once it knows what it works at; `lends`: it lends what came of it.
 */
export function help(
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
export const helper =
  (reader: number, readers: number, times: number, lends = false): ModelThread =>
  (words) => {
    const own = new SearchHelper(words, reader, readers, rooms, 0, 0);
    const board = new ShareBoard(words, readers);
    let isLent = false;
    for (let i = 0; i < times; i++) {
      if (!board.hasWork(reader)) continue;
      isLent = readOther(words, own, reader, isLent);
      help(words, own, reader, () => {}, lends);
      isLent = readOther(words, own, reader, lends);
    }
  };
