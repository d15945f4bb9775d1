/**
 * What is sent of an edited schema: it leads from the schema in force to the edited one, and says nothing of what stays.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { CollectionSchema, FieldSchema } from '../../engine/schema/collection-schema.js';
import { parseSchema } from '../../engine/schema/parse-schema.js';
import { patchSchema } from '../../engine/schema/patch-schema.js';
import { changeOf } from '../../src/ui/app/collections/schema-change.js';
import {
  draftOf,
  type FieldDraft,
  ordersOf,
  type SchemaDraft,
  withField,
  withNewField,
  withoutField,
} from '../../src/ui/app/collections/schema-draft.js';

type View = Parameters<typeof draftOf>[0];

const viewOf = (schema: object): View => ({
  ...(parseSchema(schema) as Omit<View, 'created_at' | 'num_documents' | 'num_segments'>),
  ...{ created_at: 0, num_documents: 0, num_segments: 0 },
});
const VIEW = viewOf({
  name: 'shop',
  fields: [
    { name: 'title', type: 'text', boost: 2, stem: 'english' },
    { name: 'brand', type: 'keyword', facet: true },
    { name: 'price', type: 'int', sort: true, optional: false },
  ],
  default_sorting_field: 'price',
});

/** The draft of VIEW with one field edited. */
function edited(name: string, changed: Partial<FieldDraft>): SchemaDraft {
  const draft = draftOf(VIEW);
  const field = draft.fields.find((each) => each.name === name);
  assert.ok(field !== undefined);
  return withField(draft, { ...field, ...changed });
}
const withTypos = (changed: Partial<SchemaDraft['typos']>): SchemaDraft => {
  const draft = draftOf(VIEW);
  return { ...draft, typos: { ...draft.typos, ...changed } };
};

const TYPES = ['text', 'keyword', 'int', 'float', 'bool', 'date'] as const;
const flag = fc.boolean();
const settings = fc.record({
  ...{ facet: flag, filter: flag, sort: flag, index: flag, optional: flag },
  boost: fc.constantFrom(null, 0, 1e-7, 0.5, 1, 2.5, 300),
  stem: fc.constantFrom(null, 'english', 'german'),
});
type Settings = typeof settings extends fc.Arbitrary<infer Value> ? Value : never;

/** A field that the server would take: word forms for what is searched alone. */
const fieldOf = (name: string, type: FieldSchema['type'], { stem, ...rest }: Settings): object => ({
  ...{ ...rest, name, type },
  ...(type === 'text' && rest.index && stem !== null && { stem }),
});
const typos = fc
  .record({ enabled: flag, one: fc.integer({ min: 1, max: 9 }), more: fc.nat(9), max_typos: fc.nat(2) })
  .map(({ enabled, one, more, max_typos }) => {
    return { ...{ enabled, max_typos }, one_typo_min_len: one, two_typo_min_len: one + more };
  });

interface Fate {
  readonly kind: 'stays' | 'goes' | 'comes';
  readonly type: FieldSchema['type'];
  readonly before: Settings;
  readonly after: Settings;
}
const fates = fc.array(
  fc.record<Fate>({
    ...{ kind: fc.constantFrom('stays', 'goes', 'comes'), type: fc.constantFrom(...TYPES) },
    ...{ before: settings, after: settings },
  }),
  { maxLength: 6 },
);
const side = fc.record({
  ...{ typos, order: fc.nat(7), near_ties: flag, compress_documents: flag },
  ranking: fc.constantFrom('best' as const, 'bm25' as const),
});

interface Side {
  readonly typos: object;
  readonly order: number;
  readonly ranking: 'best' | 'bm25';
  readonly near_ties: boolean;
  readonly compress_documents: boolean;
}

/** A schema whose first field is searched, so that it is one, and which is ordered by one of its fields or none. */
function schemaOf(fields: readonly object[], { typos: typo_tolerance, order, ...rest }: Side): CollectionSchema {
  const title = { name: 'title', type: 'text' };
  const schema = parseSchema({ name: 'c', fields: [title, ...fields], typo_tolerance });
  const sortable = schema.fields.filter(({ sort }) => sort);
  const default_sorting_field = sortable[order]?.name ?? null;
  // Near ties are broken by a field.
  return {
    ...{ ...schema, ...rest, default_sorting_field },
    near_ties: rest.near_ties && default_sorting_field !== null,
  };
}

/** Edits the draft of `before` until it says what `after` does, as a person would. */
function editTo(before: CollectionSchema, after: CollectionSchema): SchemaDraft {
  const target = draftOf(viewOf(after));
  let draft = draftOf(viewOf(before));
  for (const field of draft.fields) {
    const wanted = target.fields.find(({ name }) => name === field.name);
    draft = withField(draft, wanted === undefined ? { ...field, isDropped: true } : { ...wanted, row: field.row });
  }
  const isAdded = (name: string): boolean => before.fields.every((field) => field.name !== name);
  for (const wanted of target.fields.filter(({ name }) => isAdded(name))) {
    draft = withNewField(draft);
    const added = draft.fields.at(-1);
    assert.ok(added !== undefined);
    draft = withField(draft, { ...wanted, row: added.row, isNew: true });
  }
  return { ...target, fields: draft.fields };
}

test('the change that is sent makes the edited schema of the one in force, and names nothing that stays', () => {
  fc.assert(
    fc.property(fates, side, side, (all, sideBefore, sideAfter) => {
      const named = all.map((fate, n) => ({ ...fate, name: `f${n}` }));
      const there = named.filter(({ kind }) => kind !== 'comes');
      const kept = named.filter(({ kind }) => kind === 'stays');
      const come = named.filter(({ kind }) => kind === 'comes');
      const before = schemaOf(
        there.map((f) => fieldOf(f.name, f.type, f.before)),
        sideBefore,
      );
      const after = schemaOf(
        [...kept, ...come].map((f) =>
          fieldOf(f.name, f.type, f.type === 'text' ? f.after : { ...f.after, index: true }),
        ),
        sideAfter,
      );
      // What is no text has no switch for being searched: it keeps what it says.
      const fields = after.fields.map((field) => {
        const old = before.fields.find(({ name }) => name === field.name);
        return old === undefined || field.type === 'text' ? field : { ...field, index: old.index };
      });
      const wanted = { ...after, fields };
      const change = changeOf(viewOf(before), editTo(before, wanted));
      assert.deepEqual(patchSchema(before, change ?? {}), wanted);

      for (const { name, ...changed } of change?.fields ?? []) {
        const old = before.fields.find((field) => field.name === name);
        if (old === undefined || changed.drop === true) continue;
        assert.notEqual(Object.keys(changed).length, 0);
        for (const [key, value] of Object.entries(changed))
          assert.notEqual(value, (old as unknown as Record<string, unknown>)[key] ?? null, `${name}.${key}`);
      }
      for (const [key, value] of Object.entries(change?.typo_tolerance ?? {}))
        assert.notEqual(value, before.typo_tolerance[key as keyof typeof before.typo_tolerance]);
    }),
  );
});

test('nothing is sent of what was not changed, or was changed and changed back', () => {
  assert.equal(changeOf(VIEW, draftOf(VIEW)), null);
  assert.equal(changeOf(VIEW, edited('brand', { isDropped: false, facet: true })), null);
  assert.equal(changeOf(VIEW, edited('title', { boost: '2.0' })), null);
  const added = withNewField(draftOf(VIEW));
  assert.equal(changeOf(VIEW, withoutField(added, added.fields.at(-1) as FieldDraft)), null);
});

test('each switch, boost and word forms are sent alone', () => {
  for (const key of ['facet', 'filter', 'sort', 'optional'] as const) {
    const value = !VIEW.fields[1]?.[key];
    assert.deepEqual(changeOf(VIEW, edited('brand', { [key]: value })), { fields: [{ name: 'brand', [key]: value }] });
  }
  const of = (changed: Partial<FieldDraft>) => changeOf(VIEW, edited('title', changed))?.fields?.[0];
  assert.deepEqual(of({ boost: '' }), { name: 'title', boost: null });
  assert.deepEqual(of({ boost: '0.5' }), { name: 'title', boost: 0.5 });
  assert.deepEqual(of({ stem: '' }), { name: 'title', stem: null });
  assert.deepEqual(of({ stem: 'german' }), { name: 'title', stem: 'german' });
});

test('what is searched no more has no word forms either', () => {
  assert.deepEqual(changeOf(VIEW, edited('title', { index: false })), {
    fields: [{ name: 'title', index: false, stem: null }],
  });
});

test('a dropped field is named and nothing else is said of it; an added one is declared', () => {
  assert.deepEqual(changeOf(VIEW, edited('brand', { isDropped: true, facet: false, boost: '7' })), {
    fields: [{ name: 'brand', drop: true }],
  });
  const added = withNewField(draftOf(VIEW));
  const field = added.fields.at(-1) as FieldDraft;
  assert.equal(new Set(added.fields.map(({ row }) => row)).size, added.fields.length);
  assert.deepEqual(changeOf(VIEW, withField(added, { ...field, name: 'stock', type: 'int', sort: true })), {
    fields: [{ name: 'stock', type: 'int', sort: true }],
  });
});

test('settings are sent one by one, and an empty one as the default', () => {
  assert.deepEqual(changeOf(VIEW, withTypos({ enabled: false })), { typo_tolerance: { enabled: false } });
  assert.deepEqual(changeOf(VIEW, withTypos({ max_typos: '1' })), { typo_tolerance: { max_typos: 1 } });
  assert.deepEqual(changeOf(VIEW, withTypos({ one_typo_min_len: '' })), { typo_tolerance: { one_typo_min_len: null } });
  assert.deepEqual(changeOf(VIEW, { ...draftOf(VIEW), order: '' }), { default_sorting_field: null });
  assert.deepEqual(changeOf(VIEW, { ...draftOf(VIEW), hasBonuses: false }), { ranking: 'bm25' });
  assert.deepEqual(changeOf(VIEW, { ...draftOf(VIEW), nearTies: true }), { near_ties: true });
  assert.deepEqual(changeOf(VIEW, { ...draftOf(VIEW), packs: false }), { compress_documents: false });
});

test('fields that sort may order by default, and what does so now stays to be seen', () => {
  assert.deepEqual(ordersOf(edited('brand', { sort: true })), ['brand', 'price']);
  assert.deepEqual(ordersOf(edited('price', { sort: false })), ['price']);
  assert.deepEqual(ordersOf({ ...edited('price', { isDropped: true }), order: '' }), []);
});

test('a field that somebody else dropped meanwhile is not made anew', () => {
  const draft = edited('brand', { sort: true });
  const now = { ...VIEW, fields: VIEW.fields.filter(({ name }) => name !== 'brand') };
  assert.equal(changeOf(VIEW, draft, now), null);
});

test('what somebody else has changed meanwhile stays so', () => {
  const fields = VIEW.fields.map((field) => (field.name === 'price' ? { ...field, facet: true } : field));
  const now = { ...VIEW, fields, near_ties: true, default_sorting_field: null };
  assert.deepEqual(changeOf(VIEW, edited('brand', { sort: true }), now), { fields: [{ name: 'brand', sort: true }] });
});
