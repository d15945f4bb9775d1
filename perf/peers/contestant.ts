/**
 * What the comparison asks of each engine, whatever it is written in.
 */

/** How the tokens of a text are put together. The last two correct typos and complete the last token. */
export type Shape = 'all' | 'any' | 'phrase' | 'corrected' | 'in two steps';

/**
 * What an answer consists of: the number of matches, the best ten (by Sabre their ids), their documents. With a comma the number is asked for
 * in a call of its own: the other one can then pass over what cannot enter the ten best.
 */
export type Mode = 'count' | 'top' | 'top+count' | 'top+count+documents' | 'top, count' | 'top, count+documents';

/** `mode` in two calls; null where one call is all that there is. */
export function inTwoCalls(mode: Mode): Mode | null {
  if (mode === 'top+count') return 'top, count';
  return mode === 'top+count+documents' ? 'top, count+documents' : null;
}

/** The column of the engine `name` where it is asked in two calls. */
export const twoCallsOf = (name: string): string => `${name}, two calls`;

/** The texts [first, end) of the run are asked one after the other. */
export interface Order {
  readonly mode: Mode;
  readonly shape: Shape;
  readonly first: number;
  readonly end: number;
}

/** An answer for each text of an order. */
export interface Pass {
  readonly counts: readonly number[];
  readonly us: readonly number[];
}

export interface Contestant {
  readonly name: string;
  /** Whether its counts of exact queries are to be those of the others. */
  readonly isExact: boolean;
  /** Whether it is asked in two calls, too. */
  readonly hasTwoCalls: boolean;
  ask(order: Order): Promise<Pass>;
}
