/** How many damages are drawn, from which seed, and how a failure says that. */
import { randomInt } from 'node:crypto';
import { inspect } from 'node:util';
import fc from 'fast-check';

export const RUNS = Number(process.env['DAMAGE_RUNS'] ?? 1000);
/** Those to segments that nobody verifies. */
export const TRUSTING_RUNS = Math.ceil(RUNS * 0.4);
/** Of either: those that are aimed at what few bytes of a segment are. */
export const AIMED_RUNS = Math.ceil(RUNS * 0.12);
/** The damages follow from it. */
export const SEED = fc.readConfigureGlobal().seed ?? randomInt(2 ** 31);

/** An error whose message says how the run is repeated, and all that `cause` says: few reports print causes. */
export const failureOf = (cause: unknown): Error =>
  new Error(`with FC_SEED=${SEED} DAMAGE_RUNS=${RUNS}: ${inspect(cause, { depth: 8 })}`);
