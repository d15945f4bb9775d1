/**
 * What a person has changed of a schema, as the server is asked for it: nothing that stays as it is.
 */
import type { CollectionView, FieldChange, FieldView, SchemaChange } from '../../../client/client.js';
import { declarationOf, FIELD_SWITCHES, readNumber, stemOf } from '../parts/field-settings.js';
import { draftOf, type FieldDraft, type SchemaDraft, type TypoDraft } from './schema-draft.js';

const isEmpty = (change: object): boolean => Object.keys(change).length === 0;

function changeOfField(before: FieldView, draft: FieldDraft): readonly FieldChange[] {
  const { name } = before;
  if (draft.isDropped) return [{ name, drop: true }];
  const switched = FIELD_SWITCHES.filter(([key]) => draft[key] !== before[key]);
  const [boost, stem] = [readNumber(draft.boost), stemOf(draft)];
  const changed = {
    ...Object.fromEntries(switched.map(([key]) => [key, draft[key]])),
    ...(boost !== before.boost && { boost }),
    ...(stem !== (before.stem ?? null) && { stem }),
  };
  return isEmpty(changed) ? [] : [{ name, ...changed }];
}

function changeOfTypos(
  before: CollectionView['typo_tolerance'],
  draft: TypoDraft,
): NonNullable<SchemaChange['typo_tolerance']> {
  const one = readNumber(draft.one_typo_min_len);
  const two = readNumber(draft.two_typo_min_len);
  const most = readNumber(draft.max_typos);
  return {
    ...(draft.enabled !== before.enabled && { enabled: draft.enabled }),
    ...(one !== before.one_typo_min_len && { one_typo_min_len: one }),
    ...(two !== before.two_typo_min_len && { two_typo_min_len: two }),
    ...(most !== before.max_typos && { max_typos: most }),
  };
}

/**
 * What a person has changed of `view`, of which `draft` was made, and so leaves what others have changed since as they did; null:
 * nothing. `now`: the collection as it is known now.
 */
export function changeOf(view: CollectionView, draft: SchemaDraft, now = view): SchemaChange | null {
  const before = new Map(view.fields.map((field) => [field.name, field]));
  const left = new Set(now.fields.map(({ name }) => name));
  const fields = draft.fields.flatMap((field): readonly FieldChange[] => {
    if (field.isNew) return [declarationOf(field)];
    const known = before.get(field.name);
    // A field that somebody else has dropped meanwhile is not there to be changed.
    return known === undefined || !left.has(field.name) ? [] : changeOfField(known, field);
  });
  const typos = changeOfTypos(view.typo_tolerance, draft.typos);
  const order = draft.order === '' ? null : draft.order;
  const old = draftOf(view);
  const change: SchemaChange = {
    ...(fields.length > 0 && { fields }),
    ...(!isEmpty(typos) && { typo_tolerance: typos }),
    ...(order !== view.default_sorting_field && { default_sorting_field: order }),
    ...(draft.hasBonuses !== old.hasBonuses && { ranking: draft.hasBonuses ? ('best' as const) : ('bm25' as const) }),
    ...(draft.nearTies !== old.nearTies && { near_ties: draft.nearTies }),
    ...(draft.packs !== old.packs && { compress_documents: draft.packs }),
  };
  return isEmpty(change) ? null : change;
}
