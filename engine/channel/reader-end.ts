/**
 * What a reader does with one slot: reads the request, lets it be answered under an epoch, and notes in the slot how it
 * ended.
 */
import { assert } from '../core/assert.js';
import { EngineError } from '../core/errors.js';
import { ReadStopped } from '../core/read-stopped.js';
import type { ReadServer } from '../query/read-server.js';
import type { Epoch } from './generations.js';
import { QUICK_LANE } from './read-lanes.js';
import {
  MESSAGE_CHARS_MAX,
  OUTCOME_DEMOTED,
  OUTCOME_ERROR,
  OUTCOME_INTERRUPTED,
  OUTCOME_OK,
  OUTCOME_POSTED,
  SLOT,
  type Slot,
} from './read-mailbox.js';
import { decodeRead } from './read-request.js';
import type { ReaderCounters } from './reader-counters.js';
import type { PostedBody } from './reader-pool.js';
import type { SlotBudget } from './slot-budget.js';

const encoder = new TextEncoder();

export interface ReaderEndParts {
  readonly slots: readonly Slot[];
  readonly epoch: Epoch;
  readonly budget: SlotBudget;
  readonly server: ReadServer;
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

  /** Returns the body when it is to be posted. */
  #answer(slot: Slot): Uint8Array | null {
    const { epoch, budget, server, catchUp } = this.#parts;
    const { header, response } = slot;
    const generation = epoch.enter();
    try {
      budget.check();
      catchUp(generation);
      const { collectionId, read } = decodeRead(slot);
      const { body, found, elapsedUs } = server.answer(read, collectionId, response);
      header[SLOT.BODY_BYTES] = body.length;
      header[SLOT.FOUND] = found;
      header[SLOT.ELAPSED_US] = elapsedUs;
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
