/**
 * Every bound of the engine, in one place. Each is reached with a clear error or a refusal, never silently.
 */
import { TOP_ORDERS_MAX, TOP_SIZE_MAX } from '../layout/score-top.js';
import { TOKEN_POINTS_MAX } from '../layout/token-records.js';

export const NAME_CHARS_MAX = 64;
/** A byte names a field, and one of its values means none (layout/token-plan.ts). */
export const FIELDS_MAX = 255;
export const DOCUMENT_ID_BYTES_MAX = 256;
export const QUERY_BYTES_MAX = 4096;
export const QUERY_TOKENS_MAX = 64;
export const TOKEN_CODE_POINTS_MAX = TOKEN_POINTS_MAX;
/** A token of 64 code points of at most 4 bytes. */
export const TOKEN_BYTES_MAX = 256;
export const FILTER_BYTES_MAX = 16384;
/** Searches in one request. */
export const MULTI_SEARCH_MAX = 50;
/** UTF-8 of all texts of a search together: no query string has more. */
export const SEARCH_TEXT_BYTES_MAX = 64 * 1024;
export const FILTER_DEPTH_MAX = 64;
export const FILTER_SET_VALUES_MAX = 1000;
export const SORT_KEYS_MAX = 8;
/** Names in `include_fields`, and in `exclude_fields`. */
export const KEPT_FIELDS_MAX = 255;
/** Values of a facet that are shown, at most. */
export const FACET_LIMIT_MAX = 1000;
/** A longer value of a text field is searched and stored, and not in the field's column: no body text becomes a facet. */
export const TEXT_COLUMN_BYTES_MAX = 1024;
export const SEARCH_LIMIT_MAX = 250;
export const SEARCH_WINDOW_MAX = TOP_SIZE_MAX;
export const SUGGEST_LIMIT_MAX = 50;
export const TYPO_THRESHOLD_MAX = 10_000;
export const SNIPPET_TOKENS_MAX = 200;
/** Of `highlight_open` and `highlight_close`. */
export const HIGHLIGHT_MARK_BYTES_MAX = 256;
/** Text of one field of a hit that is looked at for matches; what follows is shown unmarked. */
export const HIGHLIGHT_READ_BYTES_MAX = 1024 * 1024;
/** Text that a snippet holds, however long its words are; a whole value may be longer. */
export const SNIPPET_BYTES_MAX = 8192;
/** Distinct words that one highlighted field lists as matched. */
export const HIGHLIGHT_WORDS_MAX = 100;
/** All the highlights of one answer; more are refused: ask for fewer hits, or for snippets. */
export const HIGHLIGHTS_BYTES_MAX = 32 * 1024 * 1024;
export const JSON_DEPTH_MAX = 64;
/** Bounds the report of a batch, one entry a document, and how long one batch keeps the others waiting. */
export const BATCH_DOCUMENTS_MAX = 262_144;
/** What a batch in the log may hold: older versions took as many. */
export const LOGGED_DOCUMENTS_MAX = 4_194_304;
/**
 * A collection that holds as many takes no more, deleted ones counted that no merge has removed yet: what one commit brings still
 * fits below the number that ranking has bits for.
 */
export const COLLECTION_DOCUMENTS_MAX = TOP_ORDERS_MAX - LOGGED_DOCUMENTS_MAX;
export const TYPO_EDITS_MAX = 2;
export const COLLECTIONS_MAX = 4096;
export const ALIASES_MAX = 4096;
export const READER_THREADS_MAX = 32;
export const HTTP_THREADS_MAX = 8;
/** A response of more bytes is refused, whatever a client may keep: ask for fewer hits or fields. */
export const RESPONSE_BYTES_MAX = 256 * 1024 * 1024;
/** A larger document could neither be answered nor exported. */
export const DOCUMENT_BYTES_MAX = RESPONSE_BYTES_MAX - 4096;
/** A patch may make no larger document: so that it can be answered, and exported, still. */
export const PATCHED_BYTES_MAX = RESPONSE_BYTES_MAX / 2;
/** Members of a patch at all depths, and members of the document that they change. */
export const PATCHED_MEMBERS_MAX = 100_000;
/** Explanations of more bytes are refused: ask for fewer hits. */
export const EXPLANATION_BYTES_MAX = 16 * 1024 * 1024;
/** Bytes of writes that wait to be committed; beyond, a write is refused. */
export const WRITE_QUEUE_BYTES_MAX = 512 * 1024 * 1024;
/** Writes that wait to be committed. */
export const WRITE_QUEUE_MAX = 4096;
/** At a time. */
export const EXPORTS_MAX = 16;
/** Synonyms of a collection, what one of them lists, the tokens and characters of each word of it, and of its id. */
export const SYNONYMS_MAX = 10_000;
export const SYNONYMS_LISTED_MAX = 64;
export const SYNONYM_TOKENS_MAX = 8;
export const SYNONYM_CHARS_MAX = 256;
export const SYNONYM_ID_CHARS_MAX = 64;
/** What all synonyms together list for one and the same words: a query reads as many more lists. */
export const SYNONYM_TARGETS_MAX = 64;
export const STOP_WORDS_MAX = 10_000;
/** Of all synonyms and stop words of a collection: their UTF-8, and TEXT_RULE_WORD_BYTES for each. */
export const TEXT_RULES_BYTES_MAX = 4 * 1024 * 1024;
export const TEXT_RULE_WORD_BYTES = 32;
