/**
 * Loaded before every test file: with CI set, property tests draw the same inputs on every run, so that a change is
 * judged by the change. Elsewhere each run draws new ones. FC_SEED=number repeats a run whose failure printed its seed.
 *
 * A failed property says what was thrown in its message: few reports print causes.
 */
import fc from 'fast-check';

const CI_SEED = 20_261_120;

const given = process.env['FC_SEED'];
const seed = given !== undefined ? Number(given) : process.env['CI'] !== undefined ? CI_SEED : undefined;
fc.configureGlobal({ includeErrorInReport: true, ...(seed !== undefined && { seed }) });
