/**
 * The reader of an HTTP thread over a server that answers whatever is estimated at little enough.
 */
import { InlineBudget } from '../../engine/channel/inline-budget.js';
import { InlineReader, type InlineReaderParts, type Patience } from '../../engine/channel/inline-reader.js';
import { RESPONSE_BYTES } from '../../engine/channel/read-mailbox.js';
import type { Read } from '../../engine/core/requests.js';

export class EstimatedReads {
  readonly reader: InlineReader;
  /** What reads are estimated at, in microseconds. */
  costUs = 0;
  /** Reads that were begun. */
  tried = 0;

  constructor() {
    const budget = new InlineBudget(RESPONSE_BYTES);
    this.reader = new InlineReader({
      epoch: { enter: () => 0, leave() {} },
      budget,
      server: {
        answer: () => {
          this.tried++;
          budget.expectCost(this.costUs);
          return { body: new Uint8Array(0), found: 0, elapsedUs: 1, version: 1 };
        },
      },
      updates: { catchUp() {} },
      counters: { count() {}, countGivenUp() {} },
      share: 1,
      answerBytesMax: RESPONSE_BYTES,
    } as unknown as InlineReaderParts);
  }

  /** Whether `read` is answered. A thread that was kept from its processor reads nothing for a while: it is asked again then. */
  ask(read: Read, patience: Patience = 'none'): boolean {
    for (;;) {
      const before = this.tried;
      const isAnswered = this.reader.answer(read, 1, patience, () => {});
      if (isAnswered || this.tried > before || this.reader.costUs > 0) return isAnswered;
    }
  }
}
