/**
 * What ends a read in its middle when nobody waits for it any more, or when another thread is to answer it.
 *
 * Thrown by a ReadBudget (query/read-budget.ts) between two steps of a read, caught where the read was begun. Neither a
 * mistake of the client nor a bug: whoever turns errors into damage or refusals lets it pass.
 */

export class ReadStopped extends Error {
  /** interrupted: nobody waits; demoted: too dear for this thread. */
  readonly why: 'interrupted' | 'demoted';
  /** It was reading: its scratch memory is as it was in the middle. Else it had not begun, or a step was over. */
  readonly isMidway: boolean;

  constructor(why: 'interrupted' | 'demoted', isMidway = why === 'interrupted') {
    super(`the read was ${why}`);
    this.name = 'ReadStopped';
    this.why = why;
    this.isMidway = isMidway;
  }
}
