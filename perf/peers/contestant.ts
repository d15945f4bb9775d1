/**
 * What the comparison asks of each engine, whatever it is written in.
 */

/** How the tokens of a text are put together. The last two correct typos and complete the last token. */
export type Shape = 'all' | 'any' | 'phrase' | 'corrected' | 'in two steps';

/** What an answer consists of: the number of matches, the best ten (by Sabre their ids), their documents. */
export type Mode = 'count' | 'top' | 'top+count' | 'top+count+documents';

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
  ask(order: Order): Promise<Pass>;
}
