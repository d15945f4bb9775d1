/**
 * The languages whose words the engine can stem: those of Snowball (https://snowballstem.org) of which terms keep the
 * letters. Hindi, Nepali and Tamil are not among them, whose endings are combining marks, which no term holds.
 */

export const STEM_LANGUAGES = [
  'arabic',
  'armenian',
  'basque',
  'catalan',
  'danish',
  'dutch',
  'english',
  'esperanto',
  'estonian',
  'finnish',
  'french',
  'german',
  'greek',
  'hungarian',
  'indonesian',
  'irish',
  'italian',
  'lithuanian',
  'norwegian',
  'portuguese',
  'romanian',
  'russian',
  'serbian',
  'spanish',
  'swedish',
  'turkish',
  'yiddish',
] as const;

export type StemLanguage = (typeof STEM_LANGUAGES)[number];
