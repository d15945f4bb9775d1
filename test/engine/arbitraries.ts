/**
 * Random small collections and queries for the comparison with the oracle.
 *
 * The vocabulary is small and its words are close to each other, so that queries hit, misspellings collide and ties are
 * common. Characters on which readers of the documents may honestly differ (final sigma, spacing marks, fractions) stay
 * out.
 */
import fc from 'fast-check';
import type { FieldType, OracleDocument, OracleField, OracleSchema } from '../oracle/collection.js';
import type { CompareOp, Filter } from '../oracle/filter.js';
import { type SortKey, TEXT_MATCH } from '../oracle/order.js';
import type { OracleQuery } from '../oracle/search.js';
import type { StemLanguage } from '../oracle/stems.js';
import type { FieldValue, Scalar } from '../support/wire.js';

const WORDS = [
  ...['spider', 'man', 'spiderman', 'x', 'men', 'xmen', 'board', 'boards', 'wirelessmouse'],
  ...['wireless', 'wirelss', 'wired', 'wire', 'wires', 'mouse', 'mouses', 'moose', 'house', 'houses', 'keyboard'],
  ...[
    'keyboards',
    'key',
    'café',
    'CAFE',
    'naïve',
    'usb',
    'usbc',
    'a',
    'ab',
    'abc',
    'b',
    '1234',
    '1235',
    '12',
    '12345678',
  ],
  ...[
    'b2b',
    '東京',
    '京都',
    'ひらかな',
    'カタカナ',
    'ｶﾅ',
    'größe',
    'Straße',
    'İstanbul',
    "don't",
    'co-op',
    '𝒳yz',
    'Русский',
  ],
  ...['internationalization', 'internationalisation', 'supercalifragilisticexpialidocious', 'état', 'x1y2z3w4', 'ﬁne'],
] as const;

/** Short strings over three letters: dense in prefixes, transpositions and near misses. */
const denseWord = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 9 });
const word = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...WORDS) }, { weight: 2, arbitrary: denseWord });
const sentence = fc.array(word, { maxLength: 7 }).map((words) => words.join(' '));

function mistype(text: string, kind: number, at: number): string {
  const points = [...text];
  const i = points.length === 0 ? 0 : at % points.length;
  if (kind === 0) points.splice(i, 1);
  else if (kind === 1) points.splice(i, 0, 'a');
  else if (kind === 2) points[i] = 'z';
  else if (kind === 3 && i + 1 < points.length) points.splice(i, 2, points[i + 1] ?? '', points[i] ?? '');
  else if (kind === 4) points.splice(Math.max(1, i));
  return points.join('');
}

const typedWord = fc
  .tuple(word, fc.integer({ min: 0, max: 9 }), fc.nat({ max: 40 }), fc.integer({ min: 0, max: 9 }), fc.nat({ max: 40 }))
  .map(([text, kind, at, secondKind, secondAt]) => mistype(mistype(text, kind, at), secondKind, secondAt));
const phrase = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => `"${words.join(' ')}"`);

const exclusion = fc.oneof({ weight: 3, arbitrary: word }, { weight: 1, arbitrary: phrase }).map((text) => `-${text}`);
const queryPart = fc.oneof(
  { weight: 10, arbitrary: typedWord },
  { weight: 2, arbitrary: phrase },
  { weight: 1, arbitrary: exclusion },
);
/** Up to four words, phrases and exclusions, of which some may be typed twice. */
const queryParts = fc
  .tuple(
    fc.array(queryPart, { minLength: 1, maxLength: 4 }),
    fc.oneof({ weight: 4, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: fc.array(fc.nat({ max: 3 })) }),
  )
  .map(([parts, again]) => [...parts, ...again.map((i) => parts[i % parts.length] ?? '')]);

/** Queries, now and then without text, a star or an unclosed quote. */
const queryText = fc.oneof(
  { weight: 12, arbitrary: queryParts.map((parts) => parts.join(' ')) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      ...['', '*', '  ', '!?', '"', 'wire "', '""', ' mouse ', '-mouse', '* -wire', '-"wire', '-', 'wire "less'],
    ),
  },
);

const TEXT_FIELDS = ['title', 'body', 'note'] as const;
/** Fields of every type that are filtered, sorted and counted. */
export const VALUE_FIELDS: readonly { name: string; type: FieldType }[] = [
  { name: 'title', type: 'text' },
  { name: 'kw', type: 'keyword' },
  { name: 'num', type: 'int' },
  { name: 'ratio', type: 'float' },
  { name: 'flag', type: 'bool' },
  { name: 'day', type: 'date' },
];

/** Whole values about as long as one that a column of texts just holds: a token each. */
const longText = fc.constantFrom('x'.repeat(1024), 'x'.repeat(1025), 'é'.repeat(512), 'é'.repeat(513));

const keyword = fc.constantFrom(
  'red',
  'Red',
  'blue',
  'two words',
  "o'clock",
  'a,b',
  'ünïcode',
  '東京',
  '',
  '"q"',
  'a]b',
  '\\',
);
const int = fc.oneof(fc.integer({ min: -5, max: 5 }), fc.constantFrom(70_000, -70_000, 2 ** 40, -(2 ** 40)));
const float = fc.constantFrom(-1.5, -0.25, 0, 0.5, 1, 2.75, 1e-7, 123456.789, 1e12);
const date = fc.oneof(
  fc.constantFrom('2024-01-01', '2024-01-01T00:00:00Z', '2023-12-31T23:59:59.500+01:00', '2024-02-29 12:00:00'),
  fc.constantFrom(0, -1, 1_704_067_200_000, 1_709_208_000_000),
);

function scalarOf(type: FieldType): fc.Arbitrary<Scalar> {
  switch (type) {
    case 'text':
      return sentence;
    case 'keyword':
      return keyword;
    case 'int':
      return int;
    case 'float':
      return float;
    case 'bool':
      return fc.boolean();
    case 'date':
      return date;
  }
}

function fieldValue(type: FieldType): fc.Arbitrary<FieldValue> {
  const scalar = type === 'text' ? fc.oneof({ weight: 12, arbitrary: sentence }, longText) : scalarOf(type);
  return fc.oneof(
    { weight: 6, arbitrary: scalar },
    { weight: 2, arbitrary: fc.array(scalar, { maxLength: 4 }) },
    { weight: 1, arbitrary: fc.constant(null) },
  );
}

const settings = fc.constantFrom(
  { enabled: true, one_typo_min_len: 4, two_typo_min_len: 8, max_typos: 2 },
  { enabled: true, one_typo_min_len: 2, two_typo_min_len: 3, max_typos: 2 },
  { enabled: true, one_typo_min_len: 3, two_typo_min_len: 5, max_typos: 1 },
  { enabled: false, one_typo_min_len: 3, two_typo_min_len: 6, max_typos: 2 },
  { enabled: true, one_typo_min_len: 4, two_typo_min_len: 8, max_typos: 0 },
);

const boost = fc.constantFrom(null, null, 1, 0, 0.5, 3);

const stem = fc.constantFrom<StemLanguage | null>(null, null, 'english', 'english', 'french');

const ranking = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: fc.constant({ ranking: 'bm25' as const }) },
);
/** Near ties need a field that breaks them. */
const tieBreaking = fc
  .tuple(fc.constantFrom(null, null, 'num', 'day', 'kw', 'title'), fc.boolean())
  .map(([field, isNear]) => ({ default_sorting_field: field, ...(isNear && field !== null && { near_ties: true }) }));

const fieldsAndSettings = fc.record({
  fields: fc
    .tuple(fc.integer({ min: 1, max: 3 }), fc.tuple(boost, boost, boost), fc.tuple(stem, stem, stem))
    .map(([count, boosts, stems]) => {
      const texts: OracleField[] = TEXT_FIELDS.slice(0, count).map((name, i) => {
        const flags = { index: true, facet: i === 0, filter: i === 0, sort: i === 0 };
        const stem = stems[i] ?? null;
        return { name, type: 'text', ...flags, boost: boosts[i] ?? null, ...(stem === null ? {} : { stem }) };
      });
      const values = VALUE_FIELDS.filter(({ type }) => type !== 'text').map((field) => ({
        ...field,
        ...{ index: true, facet: true, filter: true, sort: true, boost: null },
      }));
      return [...texts, ...values];
    }),
  typo_tolerance: settings,
});
/** One to three text fields and one field of each other type; the first and these are filterable, sortable and faceted. */
export const schema: fc.Arbitrary<OracleSchema> = fc
  .tuple(fieldsAndSettings, ranking, tieBreaking)
  .map((parts) => Object.assign({}, ...parts) as OracleSchema);

const fields: fc.Arbitrary<{ [field: string]: FieldValue }> = fc.record(
  {
    title: fieldValue('text'),
    body: fieldValue('text'),
    note: fieldValue('text'),
    kw: fieldValue('keyword'),
    num: fieldValue('int'),
    ratio: fieldValue('float'),
    flag: fieldValue('bool'),
    day: fieldValue('date'),
  },
  { requiredKeys: ['title'] },
);

/** Batches of documents with ids never seen twice. */
export const distinctBatches: fc.Arbitrary<OracleDocument[][]> = fc
  .array(fc.array(fields, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 6 })
  .map((batches) => {
    let id = 0;
    return batches.map((batch) => batch.map((document) => ({ id: `d${id++}`, ...document }) as OracleDocument));
  });

export type Operation =
  | { readonly kind: 'index'; readonly documents: OracleDocument[] }
  | { readonly kind: 'delete'; readonly id: string };

const id = fc.nat({ max: 24 }).map((n) => `d${n}`);
const document: fc.Arbitrary<OracleDocument> = fc
  .tuple(id, fields)
  .map(([key, rest]) => ({ id: key, ...rest }) as OracleDocument);

/** Batches and deletions over few ids, so that upserts and deletions meet. */
export const operations: fc.Arbitrary<Operation[]> = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc
        .array(document, { minLength: 1, maxLength: 10 })
        .map((documents): Operation => ({ kind: 'index', documents })),
    },
    { weight: 1, arbitrary: id.map((key): Operation => ({ kind: 'delete', id: key })) },
  ),
  { minLength: 1, maxLength: 10 },
);

const valueField = fc.constantFrom(...VALUE_FIELDS);
const compareOps: readonly CompareOp[] = ['=', '!=', '<', '<=', '>', '>='];

const comparison: fc.Arbitrary<Filter> = valueField.chain(({ name, type }) => {
  const isOrdered = type === 'int' || type === 'float' || type === 'date';
  const ops = isOrdered ? compareOps : (['=', '!='] as const);
  return fc.record({
    kind: fc.constant('compare' as const),
    field: fc.constant(name),
    op: fc.constantFrom(...ops),
    value: scalarOf(type),
  });
});

const numericRange: fc.Arbitrary<Filter> = fc
  .record({ field: fc.constantFrom('num', 'ratio'), negated: fc.boolean(), a: int, b: int })
  .map(({ field, negated, a, b }) => ({ kind: 'range', field, negated, low: Math.min(a, b), high: Math.max(a, b) }));

const valueSet: fc.Arbitrary<Filter> = valueField.chain(({ name, type }) =>
  fc.record({
    kind: fc.constant('set' as const),
    field: fc.constant(name),
    negated: fc.boolean(),
    values: fc.array(scalarOf(type), { minLength: 1, maxLength: 4 }),
  }),
);

const idSet: fc.Arbitrary<Filter> = fc
  .array(id, { minLength: 1, maxLength: 5 })
  .map((values) => ({ kind: 'set', field: 'id', negated: false, values }));

const wholeText: fc.Arbitrary<Filter> = fc.record({
  kind: fc.constant('compare' as const),
  field: fc.constant('title'),
  op: fc.constantFrom('=' as const, '!=' as const),
  value: fc.oneof({ weight: 5, arbitrary: sentence }, longText),
});

/** Predicates of every kind, nested up to three deep. */
export const filter: fc.Arbitrary<Filter> = fc.letrec<{ tree: Filter }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    comparison,
    numericRange,
    valueSet,
    fc.oneof({ weight: 1, arbitrary: idSet }, { weight: 1, arbitrary: wholeText }),
    fc.record({
      kind: fc.constantFrom('and' as const, 'or' as const),
      parts: fc.array(tie('tree'), { minLength: 2, maxLength: 3 }),
    }),
  ),
})).tree;

/** Up to three keys, each field once. */
export const sort: fc.Arbitrary<SortKey[]> = fc.uniqueArray(
  fc.record({
    field: fc.constantFrom(TEXT_MATCH, ...VALUE_FIELDS.map(({ name }) => name)),
    direction: fc.constantFrom('asc' as const, 'desc' as const),
  }),
  { maxLength: 3, selector: ({ field }) => field },
);

/** Text parameters without filter; `query_by` names fields by position, cut to what the schema has. */
export const textQuery: fc.Arbitrary<OracleQuery> = fc.record(
  {
    q: queryText,
    prefix: fc.boolean(),
    typo_tolerance: fc.boolean(),
    typo_threshold: fc.constantFrom(0, 1, 2, 5, 10_000),
    match_mode: fc.constantFrom('all' as const, 'any' as const),
    ranking: fc.constantFrom('best' as const, 'bm25' as const),
    query_by: fc.subarray([...TEXT_FIELDS], { minLength: 1 }),
  },
  { requiredKeys: ['q'] },
);

/** Text with or without filter, sort and facets. */
export const request = fc
  .record(
    {
      text: textQuery,
      sort,
      filter,
      facet: fc.subarray(VALUE_FIELDS.map(({ name }) => name)),
    },
    { requiredKeys: ['text'] },
  )
  .map(({ text, ...rest }) => ({ ...text, ...rest }));
