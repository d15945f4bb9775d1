/**
 * The reader of an HTTP thread over a server that answers whatever is estimated at little enough.
 */
import { InlineBudget } from '../../engine/channel/inline-budget.js';
import { InlineReader, type InlineReaderParts } from '../../engine/channel/inline-reader.js';
import { RESPONSE_BYTES } from '../../engine/channel/read-mailbox.js';

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
}
