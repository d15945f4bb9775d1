/**
 * The schema that a person edits before the collection is made. Pure: the view shows it and changes it.
 */
import type { CollectionSchema } from '../../../client/client.js';
import { DECLARED_NAME, type FieldType } from '../../../import/declared-field.js';
import type { FieldStatistics } from '../../../import/field-statistics.js';
import { declarationOf, FIELD_DEFAULTS, type FieldSettings } from '../parts/field-settings.js';
import type { IdChoice } from './file-documents.js';
import type { Inspection } from './inspect-file.js';

/** A row of the table. */
export interface DraftField extends FieldSettings {
  readonly seen: FieldStatistics;
  /** Why it was not proposed; '' where it was. */
  readonly note: string;
  /** Whether the schema declares it; otherwise it is stored, and not searched. */
  readonly isDeclared: boolean;
  readonly canBeDeclared: boolean;
}

export interface Draft {
  readonly name: string;
  readonly id: IdChoice;
  readonly fields: readonly DraftField[];
}

/** Nearly all, as distinct values are counted within a few percent where there are many. */
const DISTINCT_MIN = 0.94;
const ID_NAME = /(^|[_-])(id|key|sku|isbn|asin|uuid|guid|code|slug|number|no|nr)$/i;

/** The name of a collection for a file: what a name may hold of the file's own. */
function nameForFile(fileName: string): string {
  const stem = fileName.replace(/(\.(jsonl|ndjson|json|csv|tsv|tab|txt|gz))+$/i, '');
  const name = stem.replace(/[^A-Za-z0-9_-]+/g, '-').replace(/^[^A-Za-z]+|-+$/g, '');
  const cut = name.slice(0, 64);
  return DECLARED_NAME.test(cut) ? cut : 'documents';
}

/** Whether numbers become ids: of a table as they are spelled, of JSON those that are exact. */
const areIdNumbers = ({ integers, values, numberMin, numberMax }: FieldStatistics, isTable: boolean): boolean =>
  integers === values && (isTable || (Number.isSafeInteger(numberMin) && Number.isSafeInteger(numberMax)));

/** The fields whose values may be ids, those first that are distinct. Empty where documents have an id already. */
export function idFields({ documents, fields, isTable }: Inspection): string[] {
  if (fields.has('id')) return [];
  const candidates = [...fields].filter(
    ([, seen]) =>
      seen.present === documents &&
      !seen.isArray &&
      seen.values > 0 &&
      (seen.strings === seen.values || areIdNumbers(seen, isTable)) &&
      seen.charsMax <= 256,
  );
  return candidates.sort(([, a], [, b]) => b.distinct - a.distinct).map(([name]) => name);
}

function proposeId(inspection: Inspection): IdChoice {
  if (inspection.fields.has('id')) return { kind: 'field', name: 'id' };
  const isDistinct = (name: string): boolean =>
    (inspection.fields.get(name)?.distinct ?? 0) >= DISTINCT_MIN * inspection.documents;
  const name = idFields(inspection).find((each) => ID_NAME.test(each) && isDistinct(each));
  return name === undefined ? { kind: 'number' } : { kind: 'field', name };
}

/** The draft that the inspection of a file proposes. */
export function draftOf(fileName: string, inspection: Inspection): Draft {
  const { schema, notes } = inspection.inference;
  const fields = [...inspection.fields]
    .filter(([name]) => name !== 'id')
    .map(([name, seen]): DraftField => {
      const proposed = schema.fields.find((field) => field.name === name);
      const canBeDeclared = DECLARED_NAME.test(name) && seen.values > 0 && seen.others === 0;
      const note = notes.find((each) => each.startsWith(`${name}: `)) ?? '';
      return {
        ...FIELD_DEFAULTS,
        name,
        seen,
        canBeDeclared,
        note: note.slice(name.length + 2),
        isDeclared: proposed !== undefined,
        type: proposed?.type ?? 'keyword',
        facet: proposed?.facet ?? false,
        filter: proposed?.filter ?? false,
        sort: proposed?.sort ?? false,
      };
    });
  return { name: nameForFile(fileName), id: proposeId(inspection), fields };
}

/** The types of the declared fields. */
export const typesOf = ({ fields }: Draft): Map<string, FieldType> =>
  new Map(fields.filter(({ isDeclared }) => isDeclared).map(({ name, type }) => [name, type]));

/** The body that creates the collection; what is as by default is left out. */
export function schemaOf({ name, fields }: Draft): CollectionSchema {
  return { name, fields: fields.filter(({ isDeclared }) => isDeclared).map(declarationOf) };
}
