/**
 * Where the tokens of a query stand in a few candidate documents of the segments of an arena, in scratch memory. Laid out
 * by query/bonuses/arena-occurrences.ts once per query and arena, filled by kernels/occurrences.ts, read by
 * kernels/nearness.ts. A *slot* is a token as typed, repeated ones included; a *source* is something that can stand for
 * slots; a *group* is one candidate in one queried field: candidate * fieldCount + field; a *part* is the candidates
 * [from, to) whose hits are found together.
 *
 *   state: words, then areas of constant size, of which no more is touched than a query needs; pointers are absolute
 *     0 segment     u32  address of the segment being looked at
 *     4 entries     u32  address of its postings entries
 *     8 fieldMap    u32  u8[256]: schema field -> queried field 0..fieldCount-1, PLAN_NO_FIELD where not queried
 *    12 fieldCount  u32  queried fields
 *    16 docCount    u32  candidates, at most OCCURRENCE_DOCS_MAX
 *    20 hitCount    u32
 *    24 cursorCount u32
 *    28 cursor      u32  index + 1 of the cursor of the entry being looked at, 0: none yet
 *    32 sourceCount u32  sources [0, phraseFirst) are terms, the others phrases
 *    36 phraseFirst u32
 *    40 phrases     u32  per phrase source u32: offset from here of {count u32, sources u32[count]}, the tokens' sources
 *    44 slotCount   u32  at most SLOTS_MAX
 *    48 slots       u32  {first reading u32, reading count u32}[slotCount]
 *    52 readings    u32  READING_BYTES each
 *    56 wholeMax    u32  the most tokens of a value that is what was typed
 *    60 records     u32  u32[]: by segment of the query, the address of its record, of those of this arena that candidates lie
 *                        in; 0 of all others
 *    64 record      u32  that of the segment being looked at
 *    68 from        u32  the part being looked at
 *    72 to          u32
 *    76 searched    u32  candidates before this one have been looked for; it begins a segment
 *    80 searchedTo  u32  where the candidates of that segment end
 *    84 range       u32  the range of that segment that is next
 *    88 entry       u32  its entries before this one have been looked through
 *    92 measured    u32  candidates before this one are measured
 *    96 steps       u32  steps left until the next look at the budget
 *   100 isPlain     u32  1: there are no phrases, and each reading stands for its slot alone
 *       CANDIDATES  u64[docCount]: segment << CANDIDATE_SEGMENT_SHIFT | document << CANDIDATE_DOC_SHIFT | rank, in any order
 *                   before beginCandidates(), then ascending; or-ed to the rank, CANDIDATE_IF_WHOLE: it matters only if a
 *                   value of it is what was typed
 *       DOCS        u32[docCount], ascending within a segment
 *       FILTER      u8[OCCURRENCE_FILTER_BYTES]: a bit for document % 8192 of each candidate of the segment being searched
 *       NEARNESS    f64[docCount]: the best field's mean closeness of neighbouring slots, 0..1
 *       OUTCOMES    u8[docCount]: the largest VERDICT_* of the candidate's fields, or-ed VERDICT_DOUBT of any of them
 *       SOURCES     {first run u32, run count u32}[sourceCount], all zero between groups
 *       ENDS        {count u32, {position u32 << 1 | completed}[ENDS_MAX]}[slotCount + 1]: where the slots before may
 *                   end, of the value being looked at
 *       RUNS        {positions u32, count u32}: a term of a source in the group; at most sources * RUNS_MAX
 *       VERDICTS    u8[groups]: VERDICT_*
 *       HEADS       u32[groups]: index + 1 of the group's last hit, 0: none
 *       POSITIONS   u32[GROUP_POSITIONS_MAX]: of the group being looked at, ascending within each run
 *       HITS        HIT_BYTES each, linked by group; the hits of a source follow one another
 *       CURSORS     HIT_CURSOR_BYTES each, one per entry with a hit; as many as hits
 *       LOOKED_UP   {candidate u32, posting u32}[docCount]: of the list that candidates are looked up in, those that it has
 *       SIGNATURES  u16[docCount]: of these postings
 *
 *   record of a segment
 *     0 segment     u32  its address
 *     4 entries     u32  address of its postings entries
 *     8 ranges      u32  OCCURRENCE_RANGE_BYTES each: the entries to look through, by source
 *    12 rangeCount  u32
 *    16 fields           OCCURRENCE_FIELD_BYTES per queried field
 */

export const OCCURRENCE_DOCS_MAX = 250;
export const OCCURRENCE_FILTER_BYTES = 1024;
export const CANDIDATE_IF_WHOLE = 256;
export const CANDIDATE_DOC_SHIFT = 10;
export const CANDIDATE_SEGMENT_SHIFT = 42;
/** Far more than the candidates of any honest query have; with more, fewer candidates are looked at together. */
export const OCCURRENCE_HITS_MAX = 262144;
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
/** The end of a slot in ENDS. */
export const ENDS_BYTES = 4 + 4 * ENDS_MAX;

/**
 * A hit: a candidate that has a term of a source. {next hit + 1 u32, source u16, signature u16 of the posting, cursor | nth of its
 * source << HIT_NTH_SHIFT u32, posting u32}
 */
export const HIT_BYTES = 16;
export const HIT_NEXT = 0;
export const HIT_SOURCE = 4;
export const HIT_SIGNATURE = 6;
export const HIT_CURSOR = 8;
export const HIT_NTH_SHIFT = 24;
export const HIT_CURSOR_MAX = 0xffffff;
export const HIT_POSTING = 12;

/** Where reading the positions of an entry stands. {entry address, posting that ptr points to, ptr, segment address} */
export const HIT_CURSOR_BYTES = 16;
export const HIT_CURSOR_ENTRY = 0;
export const HIT_CURSOR_INDEX = 4;
export const HIT_CURSOR_PTR = 8;
export const HIT_CURSOR_SEGMENT = 12;

/** Of a queried field in the segment: lengths by document, bytes of each, documents with several values, their number. */
export const OCCURRENCE_FIELD_BYTES = 16;
export const OCCURRENCE_FIELD_LENGTHS = 0;
export const OCCURRENCE_FIELD_WIDTH = 4;
export const OCCURRENCE_FIELD_ARRAYS = 8;
export const OCCURRENCE_FIELD_ARRAY_COUNT = 12;
/** The number of documents with several values where they are not known. */
export const ARRAYS_UNKNOWN = 0xffffffff;

export const OCCURRENCE_RECORD_SEGMENT = 0;
export const OCCURRENCE_RECORD_ENTRIES = 4;
export const OCCURRENCE_RECORD_RANGES = 8;
export const OCCURRENCE_RECORD_RANGE_COUNT = 12;
export const OCCURRENCE_RECORD_FIELDS = 16;

/** Entries [low, high) of a source, none of them empty. */
export const OCCURRENCE_RANGE_BYTES = 12;
export const OCCURRENCE_RANGE_LOW = 0;
export const OCCURRENCE_RANGE_HIGH = 4;
export const OCCURRENCE_RANGE_SOURCE = 8;

/**
 * A reading: a source as it stands for a slot. `covers`: the slots that it stands for together, this one being the first; 0:
 * another before is. `span`: its tokens. `completed`: the typed token was completed to it.
 */
export const READING_BYTES = 8;
export const READING_SOURCE = 0;
export const READING_COVERS = 4;
export const READING_SPAN = 5;
export const READING_COMPLETED = 6;

export const OCCURRENCES_SEGMENT = 0;
export const OCCURRENCES_ENTRIES = 4;
export const OCCURRENCES_FIELD_MAP = 8;
export const OCCURRENCES_FIELD_COUNT = 12;
export const OCCURRENCES_DOC_COUNT = 16;
export const OCCURRENCES_HIT_COUNT = 20;
export const OCCURRENCES_CURSOR_COUNT = 24;
export const OCCURRENCES_CURSOR = 28;
export const OCCURRENCES_SOURCE_COUNT = 32;
export const OCCURRENCES_PHRASE_FIRST = 36;
export const OCCURRENCES_PHRASES = 40;
export const OCCURRENCES_SLOT_COUNT = 44;
export const OCCURRENCES_SLOTS = 48;
export const OCCURRENCES_READINGS = 52;
export const OCCURRENCES_WHOLE_MAX = 56;
export const OCCURRENCES_RECORDS = 60;
export const OCCURRENCES_RECORD = 64;
export const OCCURRENCES_FROM = 68;
export const OCCURRENCES_TO = 72;
export const OCCURRENCES_SEARCHED = 76;
export const OCCURRENCES_SEARCHED_TO = 80;
export const OCCURRENCES_RANGE = 84;
export const OCCURRENCES_ENTRY = 88;
export const OCCURRENCES_MEASURED = 92;
export const OCCURRENCES_STEPS = 96;
export const OCCURRENCES_IS_PLAIN = 100;
export const OCCURRENCES_CANDIDATES = 128;
export const OCCURRENCES_DOCS = OCCURRENCES_CANDIDATES + 8 * 256;
export const OCCURRENCES_FILTER = OCCURRENCES_DOCS + 4 * 256;
export const OCCURRENCES_NEARNESS = OCCURRENCES_FILTER + OCCURRENCE_FILTER_BYTES;
export const OCCURRENCES_OUTCOMES = OCCURRENCES_NEARNESS + 8 * 256;
export const OCCURRENCES_SOURCES = OCCURRENCES_OUTCOMES + 256;
export const OCCURRENCES_ENDS = OCCURRENCES_SOURCES + SOURCES_MAX * 8;
export const OCCURRENCES_RUNS = OCCURRENCES_ENDS + 68 * ENDS_BYTES;
export const OCCURRENCES_VERDICTS = OCCURRENCES_RUNS + SOURCES_MAX * RUNS_MAX * 8;
export const OCCURRENCES_HEADS = OCCURRENCES_VERDICTS + 65536;
export const OCCURRENCES_POSITIONS = OCCURRENCES_HEADS + 262144;
export const OCCURRENCES_HITS = OCCURRENCES_POSITIONS + GROUP_POSITIONS_MAX * 4;
export const OCCURRENCES_CURSORS = OCCURRENCES_HITS + OCCURRENCE_HITS_MAX * HIT_BYTES;
export const OCCURRENCES_LOOKED_UP = OCCURRENCES_CURSORS + OCCURRENCE_HITS_MAX * HIT_CURSOR_BYTES;
export const OCCURRENCES_SIGNATURES = OCCURRENCES_LOOKED_UP + 8 * 256;
export const OCCURRENCES_BYTES = OCCURRENCES_SIGNATURES + 2 * 256;

/** What a group says of a field's values: none begins with the slots; one does; one is the slots and nothing else. */
export const VERDICT_NONE = 0;
export const VERDICT_BEGINS = 1;
export const VERDICT_WHOLE = 2;
/** Or-ed: the field may hold several values, and the stored document may say more of them. */
export const VERDICT_DOUBT = 4;
/** The first position of a second value is at least this. */
export const SECOND_VALUE_MIN = 101;

/** What measureCandidates() returns: all are measured; a part is; its steps are used up. */
export const MEASURED_ALL = 0;
export const MEASURED_PART = 1;
export const MEASURING = 2;
/** Steps that measuring a candidate counts for; looking an entry through counts for one. */
export const MEASURE_STEPS = 512;
