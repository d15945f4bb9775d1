/**
 * What a process of a history does, step by step. Run by write-history.ts.
 */
import type { OperationKind } from './simulated-faults.js';
import type { Write } from './write-promises.js';

export type Step =
  /**
   * One commit; what is done `beside` it comes while its sync is under way. `next` is the one after it, of documents alone,
   * which is prepared meanwhile.
   */
  | {
      readonly do: 'commit';
      readonly writes: readonly Write[];
      readonly beside?: readonly Step[];
      readonly next?: readonly Write[];
    }
  /** Adds the field of this number to the schema, or drops it: to its end, between two commits. */
  | { readonly do: 'change'; readonly name: string; readonly field: number }
  | { readonly do: 'sync' }
  | { readonly do: 'begin merge'; readonly name: string; readonly from: number; readonly count: number }
  | { readonly do: 'end merge' }
  | { readonly do: 'begin snapshot' }
  /** Lets the next sync of a snapshot's file end. */
  | { readonly do: 'step snapshot' }
  | { readonly do: 'end snapshot' }
  | { readonly do: 'fail'; readonly kind: OperationKind; readonly times: number }
  /** Nothing can be changed any more. */
  | { readonly do: 'read only' }
  | { readonly do: 'mend' }
  /** The process ends. */
  | { readonly do: 'stop' };
