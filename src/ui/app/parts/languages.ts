/**
 * The languages that the server knows word forms and stop words of, as its choices show them.
 */

/** Of a field's `stem`. */
export const STEM_LANGUAGES =
  'arabic armenian basque catalan danish dutch english esperanto estonian finnish french german greek hungarian indonesian irish italian lithuanian norwegian portuguese romanian russian serbian spanish swedish turkish yiddish'.split(
    ' ',
  );

/** Of a collection's stop words. */
export const STOP_WORD_LANGUAGES =
  'danish dutch english finnish french german hungarian italian nepali norwegian portuguese russian spanish swedish turkish'.split(
    ' ',
  );
