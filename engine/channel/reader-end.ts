/**
 * What a reader does with one slot: reads the request, lets it be answered under an epoch, and notes in the slot how it
 * ended.
 */
import { assert } from '../core/assert.js';
import { EngineError } from '../core/errors.js';
import { ReadStopped } from '../core/read-stopped.js';
import { OPERATION_SEARCH, type SearchRequest } from '../core/requests.js';
import type { ReadServer } from '../query/read-server.js';
import type { Epoch } from './generations.js';
import { DEAR_LANE, QUICK_LANE } from './read-lanes.js';
import {
  MESSAGE_CHARS_MAX,
  OUTCOME_DEMOTED,
  OUTCOME_ERROR,
  OUTCOME_INTERRUPTED,
  OUTCOME_OK,
  OUTCOME_POSTED,
  type PostedBody,
  SLOT,
  type Slot,
} from './read-mailbox.js';
import { decodeRead } from './read-request.js';
import type { ReaderCounters } from './reader-counters.js';
import type { SearchHelper, SearchShare } from './search-share.js';
import type { SharedJob } from './share-board.js';
import type { SlotBudget } from './slot-budget.js';

const encoder = new TextEncoder();

export interface ReaderEndParts {
  readonly slots: readonly Slot[];
  readonly epoch: Epoch;
  readonly budget: SlotBudget;
  readonly server: ReadServer;
  readonly share: SearchShare;
  readonly helper: SearchHelper;
  readonly counters: ReaderCounters;
  /** Takes in what the writer has posted for a generation; called under the epoch that holds it. */
  readonly catchUp: (generation: number) => void;
  /** Sends a body that outgrew its slot, and its buffer with it. */
  readonly post: (message: PostedBody, buffer: ArrayBuffer) => void;
}

export class ReaderEnd {
  readonly #parts: ReaderEndParts;

  constructor(parts: ReaderEndParts) {
    this.#parts = parts;
  }

  /** Answers the read in slot `index`; false: by a message, and the slot is given back with it. */
  serve(index: number): boolean {
    const { slots, budget } = this.#parts;
    const slot = slots[index];
    const { header } = slot;
    const start = performance.now();
    this.#takeBack();
    this.#parts.share.beginSlot(index, header[SLOT.LANE] === DEAR_LANE);
    budget.begin(index, header[SLOT.LANE] === QUICK_LANE);
    header[SLOT.OUTCOME] = OUTCOME_OK;
    header[SLOT.WANTED_KIB] = 0;
    const posted = this.#answer(slot);
    const elapsedUs = Math.round((performance.now() - start) * 1000);
    header[SLOT.SPENT_US] = elapsedUs;
    header[SLOT.COST_US] = Math.min(budget.costUs, 0xffffffff);
    header[SLOT.RESERVED_KIB] = budget.reservedKib;
    this.#parts.counters.count(elapsedUs);
    if (posted === null) return true;
    assert(posted.buffer instanceof ArrayBuffer, 'a body that outgrew its slot is private');
    this.#parts.post({ slot: index, body: posted }, posted.buffer);
    return false;
  }

  /** Helps with the search that another reader shares, until it is done or `isCalledAway`. */
  help(isCalledAway: () => boolean): void {
    const { helper, counters } = this.#parts;
    const start = performance.now();
    this.#takeBack();
    if (helper.help(isCalledAway, (job) => this.#takePart(job))) counters.countHelp();
    counters.countTime(Math.round((performance.now() - start) * 1000));
  }

  /** Before memory is given back to the system in a pause. */
  rest(): void {
    this.#takeBack();
  }

  /** What it has lent to searches of others is its own again, if it is. */
  #takeBack(): void {
    const { helper, server } = this.#parts;
    if (helper.isBack()) server.takeBack();
  }

  /** Takes a part in `job`; false: it did not come to an end. */
  #takePart(job: SharedJob): boolean {
    const { slots, epoch, budget, server, helper, catchUp } = this.#parts;
    const generation = epoch.enter();
    try {
      catchUp(generation);
      const wanted = this.#decodeWanted(slots[job.slot]);
      if (wanted === null) return false;
      budget.begin(job.slot, false);
      return server.help(wanted.request, wanted.collectionId, job, helper, helper.room);
    } catch (error) {
      // What is wrong the starter finds, too.
      if (error instanceof ReadStopped || error instanceof EngineError) return false;
      throw error;
    } finally {
      epoch.leave();
    }
  }

  /** The search in `slot`; null: it ended, and the slot may hold another read by now, or a half of one. */
  #decodeWanted(slot: Slot): { readonly collectionId: number; readonly request: SearchRequest } | null {
    const { helper } = this.#parts;
    try {
      const { collectionId, read } = decodeRead(slot);
      return helper.isWanted() && read.operation === OPERATION_SEARCH ? { collectionId, request: read.request } : null;
    } catch (error) {
      if (helper.isWanted()) throw error;
      return null;
    }
  }

  /** Returns the body when it is to be posted. */
  #answer(slot: Slot): Uint8Array | null {
    const { epoch, budget, server, catchUp } = this.#parts;
    const { header, response } = slot;
    const generation = epoch.enter();
    try {
      budget.check();
      catchUp(generation);
      const { collectionId, read } = decodeRead(slot);
      const { body, found, elapsedUs, version } = server.answer(read, collectionId, response);
      header[SLOT.BODY_BYTES] = body.length;
      header[SLOT.FOUND] = found;
      header[SLOT.ELAPSED_US] = elapsedUs;
      header[SLOT.VERSION] = version;
      if (body.buffer === response.buffer) return null;
      header[SLOT.OUTCOME] = OUTCOME_POSTED;
      return body;
    } catch (error) {
      if (error instanceof ReadStopped) this.#noteStop(slot, error);
      else if (error instanceof EngineError) refuse(slot, error);
      else throw error;
      return null;
    } finally {
      epoch.leave();
    }
  }

  #noteStop({ header }: Slot, { why }: ReadStopped): void {
    header[SLOT.OUTCOME] = why === 'demoted' ? OUTCOME_DEMOTED : OUTCOME_INTERRUPTED;
    header[SLOT.WANTED_KIB] = this.#parts.budget.wantedKib;
  }
}

function refuse(slot: Slot, error: EngineError): void {
  const message = error.message.slice(0, MESSAGE_CHARS_MAX);
  const body = encoder.encode(JSON.stringify({ code: error.code, message }));
  slot.response.set(body);
  slot.header[SLOT.OUTCOME] = OUTCOME_ERROR;
  slot.header[SLOT.BODY_BYTES] = body.length;
  slot.header[SLOT.ELAPSED_US] = 0;
}
