/**
 * Where the tokens of a query stand in a few candidate documents of one segment, in scratch memory. Laid out by
 * query/bonuses/segment-occurrences.ts, filled by kernels/occurrences.ts, read by kernels/nearness.ts. Pointers are
 * absolute. A *slot* is a token as typed, repeated ones included; a *source* is something that can stand for slots; a
 * *group* is one candidate in one queried field: candidate * fieldCount + field.
 *
 *   state
 *     0 segment     u32  address of the segment
 *     4 entries     u32  address of its postings entries
 *     8 fieldMap    u32  u8[256]: schema field -> queried field 0..fieldCount-1, PLAN_NO_FIELD where not queried
 *    12 fieldCount  u32  queried fields
 *    16 docs        u32  u32[docCount], ascending
 *    20 docCount    u32  at most OCCURRENCE_DOCS_MAX
 *    24 filter      u32  u8[OCCURRENCE_FILTER_BYTES]: a bit for document % 8192 of each candidate
 *    28 heads       u32  u32[groups]: index + 1 of the group's last hit, 0: none
 *    32 hits        u32  HIT_BYTES each, linked by group; the hits of a source follow one another
 *    36 hitCount    u32
 *    40 hitsMax     u32
 *    44 cursors     u32  HIT_CURSOR_BYTES each, one per entry with a hit; as many as hits
 *    48 cursorCount u32
 *    52 lengths     u32  u32[groups]: tokens of the field
 *    56 positions   u32  u32[GROUP_POSITIONS_MAX]: of the group being looked at, ascending within each run
 *    60 runs        u32  {positions u32, count u32}: a term of a source in the group; at most sources * RUNS_MAX
 *    64 sources     u32  {first run u32, run count u32}[sourceCount], all zero between groups
 *    68 sourceCount u32  sources [0, phraseFirst) are terms, the others phrases
 *    72 phraseFirst u32
 *    76 phrases     u32  per phrase source u32: offset from here of {count u32, sources u32[count]}, the tokens' sources
 *    80 slotCount   u32  at most SLOTS_MAX
 *    84 slots       u32  {first reading u32, reading count u32}[slotCount]
 *    88 readings    u32  READING_BYTES each
 *    92 nearness    u32  f64[docCount]: the best field's mean closeness of neighbouring slots, 0..1
 *    96 verdicts    u32  u8[groups]: VERDICT_*
 *   100 ends        u32  {count u32, {position u32 << 1 | completed}[ENDS_MAX]}[slotCount + 1]: where the slots before
 *                        may end, of the value being looked at
 *   104 cursor      u32  index + 1 of the cursor of the entry being looked at, 0: none yet
 */

export const OCCURRENCES_BYTES = 112;
export const OCCURRENCES_SEGMENT = 0;
export const OCCURRENCES_ENTRIES = 4;
export const OCCURRENCES_FIELD_MAP = 8;
export const OCCURRENCES_FIELD_COUNT = 12;
export const OCCURRENCES_DOCS = 16;
export const OCCURRENCES_DOC_COUNT = 20;
export const OCCURRENCES_FILTER = 24;
export const OCCURRENCES_HEADS = 28;
export const OCCURRENCES_HITS = 32;
export const OCCURRENCES_HIT_COUNT = 36;
export const OCCURRENCES_HITS_MAX = 40;
export const OCCURRENCES_CURSORS = 44;
export const OCCURRENCES_CURSOR_COUNT = 48;
export const OCCURRENCES_LENGTHS = 52;
export const OCCURRENCES_POSITIONS = 56;
export const OCCURRENCES_RUNS = 60;
export const OCCURRENCES_SOURCES = 64;
export const OCCURRENCES_SOURCE_COUNT = 68;
export const OCCURRENCES_PHRASE_FIRST = 72;
export const OCCURRENCES_PHRASES = 76;
export const OCCURRENCES_SLOT_COUNT = 80;
export const OCCURRENCES_SLOTS = 84;
export const OCCURRENCES_READINGS = 88;
export const OCCURRENCES_NEARNESS = 92;
export const OCCURRENCES_VERDICTS = 96;
export const OCCURRENCES_ENDS = 100;
export const OCCURRENCES_CURSOR = 104;

export const OCCURRENCE_DOCS_MAX = 250;
export const OCCURRENCE_FILTER_BYTES = 1024;
/** Queries of more typed tokens get no bonuses. */
export const SLOTS_MAX = 64;
/** What can stand for slots, phrases and their tokens included; more is left out. */
export const SOURCES_MAX = 512;
/** Terms of one source in one group, by term: more are left out. */
export const RUNS_MAX = 16;
/** Positions of one term in one group: later ones are left out. */
export const RUN_POSITIONS_MAX = 4096;
/** Positions of a group: those of later sources are left out. */
export const GROUP_POSITIONS_MAX = 262144;
/** Ways to end, of the slots before one, in one value: more are left out. */
export const ENDS_MAX = 16;

/** A hit: a candidate that has a term of a source. {next hit + 1, source | nth of its source << 16, cursor, posting} */
export const HIT_BYTES = 16;
export const HIT_NEXT = 0;
export const HIT_SOURCE = 4;
export const HIT_NTH = 6;
export const HIT_CURSOR = 8;
export const HIT_POSTING = 12;

/** Where reading the positions of an entry stands. {entry address, posting that ptr points to, ptr, 0} */
export const HIT_CURSOR_BYTES = 16;
export const HIT_CURSOR_ENTRY = 0;
export const HIT_CURSOR_INDEX = 4;
export const HIT_CURSOR_PTR = 8;

/**
 * A reading: a source as it stands for a slot. `covers`: the slots that it stands for together, this one being the first; 0:
 * another before is. `span`: its tokens. `completed`: the typed token was completed to it.
 */
export const READING_BYTES = 8;
export const READING_SOURCE = 0;
export const READING_COVERS = 4;
export const READING_SPAN = 5;
export const READING_COMPLETED = 6;

/** What a group says of a field's values: none begins with the slots; one does; one is the slots and nothing else. */
export const VERDICT_NONE = 0;
export const VERDICT_BEGINS = 1;
export const VERDICT_WHOLE = 2;
/** Or-ed: if the field holds several values, the stored document may say more. */
export const VERDICT_DOUBT = 4;
/** The first position of a second value is at least this. */
export const SECOND_VALUE_MIN = 101;
