/**
 * Synonyms and stop words on the wire: bodies as a client may send them, and as they are shown.
 *
 * The validator of a body checks shapes alone: what a word is, and how many there may be, is checked by the engine. So such
 * bounds are `JsonSchemaPlugin`, which describes and does not check. Doc comments are the descriptions in /openapi.json.
 */
import type { tags } from 'typia';
import type { limits } from '../../../engine/index.js';

/** 1 to 8 words. */
type SynonymText = string & tags.JsonSchemaPlugin<{ maxLength: typeof limits.SYNONYM_CHARS_MAX }>;

type SynonymList = readonly SynonymText[] &
  tags.JsonSchemaPlugin<{ minItems: 1; maxItems: typeof limits.SYNONYMS_LISTED_MAX }>;

export interface SynonymBody {
  /** a query for it also finds `synonyms`, and not the other way round; null: each of `synonyms` also finds the others. Default: null. */
  root?: SynonymText | null;
  synonyms: SynonymList;
  /** as in the path, if given: so that a synonym can be sent as it was shown */
  id?: string | null;
}

/** Words that stand for one another, or for a root. */
export interface SynonymView {
  /** letters, digits, `_` and `-` */
  id: string;
  /** a query for it also finds `synonyms`, and not the other way round; absent: each of `synonyms` also finds the others */
  root?: string;
  synonyms: readonly string[];
}

/** Either key. */
export interface StopWordsBody {
  /** a Snowball language whose stop words are meant. Default: null. */
  language?: string | null;
  /** single words. Default: null. */
  words?: (readonly string[] & tags.JsonSchemaPlugin<{ minItems: 1; maxItems: typeof limits.STOP_WORDS_MAX }>) | null;
}

/** Words that a query drops when others are left. */
export interface StopWordsView {
  /** a Snowball language whose stop words are meant */
  language?: string;
  words?: readonly string[];
}
