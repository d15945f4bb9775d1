/**
 * Loaded before every test file: with CI set, property tests draw the same inputs on every run, so that a change is
 * judged by the change. Elsewhere each run draws new ones. FC_SEED=number repeats a run whose failure printed its seed.
 */
import fc from 'fast-check';

const CI_SEED = 20_261_120;

const given = process.env['FC_SEED'];
if (given !== undefined) fc.configureGlobal({ seed: Number(given) });
else if (process.env['CI'] !== undefined) fc.configureGlobal({ seed: CI_SEED });
