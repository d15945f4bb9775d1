/**
 * The terms that share a token's stem, found by stemming every term there is. Of the engine it takes the programs of the
 * Snowball compiler alone.
 */
import { createRequire } from 'node:module';

/** Those that the tests use. */
export type StemLanguage = 'english' | 'french';

const load = createRequire(import.meta.url);
const programs = new Map<StemLanguage, { stemWord(word: string): string }>();

/** The stem of a folded word. */
export function stemOf(word: string, language: StemLanguage): string {
  let program = programs.get(language);
  if (program === undefined) {
    const Program = load(`../../engine/text/generated/${language}-stemmer.cjs`);
    program = new Program() as { stemWord(word: string): string };
    programs.set(language, program);
  }
  return program.stemWord(word);
}
