/**
 * Writes the stem indexes of a segment, one for each language that its fields name. Shared by the segment builder and the
 * merger; collections without stems pay nothing for it.
 */
import type { RegionWriter } from '../memory/region-writer.js';
import type { EntrySections } from '../postings/entry-table.js';
import { PostingsReader } from '../postings/list-reader.js';
import type { CollectionSchema } from '../schema/collection-schema.js';
import type { StemLanguage } from '../schema/stem-languages.js';
import { writeStemIndex } from '../terms/stem-index-writer.js';
import type { SortedTerms } from '../terms/term-dictionary-writer.js';
import { stemmerOf } from '../text/stemmer.js';

/** Different languages of the schema's fields. */
export function stemLanguages({ fields }: Pick<CollectionSchema, 'fields'>): StemLanguage[] {
  const languages = new Set<StemLanguage>();
  for (const { stem } of fields) if (stem !== undefined) languages.add(stem);
  return [...languages];
}

/**
 * Writes them and returns their offsets by field, 0 for none. `terms` are those of the dictionary, of which `keep` marks
 * with 0 those that are not in it (null: all are); `entries` are written.
 */
export function writeStemIndexes(
  out: RegionWriter,
  schema: Pick<CollectionSchema, 'fields'>,
  terms: SortedTerms,
  keep: Uint8Array | null,
  entries: EntrySections,
): number[] {
  const { fields } = schema;
  const offsets = new Array<number>(fields.length).fill(0);
  for (const language of stemLanguages(schema)) {
    const isStemmed = Uint8Array.from(fields, ({ stem }) => Number(stem === language));
    const postings = new PostingsReader(out.views, entries.starts, entries.table, entries.count);
    const holds = (ord: number): boolean => {
      const end = postings.firstEntry(ord + 1);
      for (let entry = postings.firstEntry(ord); entry < end; entry++)
        if (isStemmed[postings.field(entry)] === 1) return true;
      return false;
    };
    const offset = writeStemIndex(out, terms, keep, holds, stemmerOf(language));
    for (const [field, { stem }] of fields.entries()) if (stem === language) offsets[field] = offset;
  }
  return offsets;
}
