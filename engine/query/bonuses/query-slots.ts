/**
 * What the typed tokens of a query stand for, as the bonuses see it: slots in the order typed, and the sources that
 * can stand for them. Made by make-slots.ts, read by segment-occurrences.ts.
 */

/** Entry ranges of one source in one segment: low, high (exclusive), repeated; the typed term's first. */
export type SourceRanges = readonly number[];

/** A source as it stands for a slot. */
export interface SlotReading {
  /** Index among the term sources, or behind them among the phrase sources. */
  readonly source: number;
  /** Slots that it stands for together, this one being the first; 0: this is another of them. */
  readonly covers: number;
  /** The typed token is only the beginning of it. */
  readonly isCompleted: boolean;
}

export interface QuerySlots {
  /** Per term source, by segment. */
  readonly terms: readonly (readonly SourceRanges[])[];
  /** Per phrase source: the term sources of its tokens, each one exact term. */
  readonly phrases: readonly (readonly number[])[];
  /** In the order typed, 1 to SLOTS_MAX. */
  readonly slots: readonly (readonly SlotReading[])[];
}
