/**
 * All synonyms and stop words of a collection as bytes: what its entry of the manifest holds. MessagePack, part of the
 * file's format (types/records.ts). One value instead of thousands, because manifests cross threads and are checked whole.
 */
import { encode } from '@msgpack/msgpack';
import type { StopWords, Synonym, TextRuleChange } from '../../core/text-rules.js';
import { MANIFEST_HEADER_BYTES } from '../../layout/manifest.js';
import { validateTextRules } from '../generated/records.js';
import type { ManifestCollection } from '../types/manifest.js';
import type { TextRulesPayload } from '../types/records.js';
import { damaged } from './damage.js';
import { decodeFields } from './decode-fields.js';
import { shapeError } from './shape-error.js';

/** The bytes of `synonyms`, in any order, and `stopWords`. */
export function encodeTextRules(synonyms: Iterable<Synonym>, stopWords: StopWords | null): Uint8Array {
  const listed = Array.from(synonyms, ({ id, root, synonyms }): TextRulesPayload[0][number] => [
    id,
    root,
    [...synonyms],
  ]);
  const words = stopWords?.words ?? null;
  const payload: TextRulesPayload = [listed, stopWords?.language ?? null, words && [...words]];
  return encode(payload);
}

/**
 * The changes that make of nothing what the manifest at `path` holds of a collection. Errors: corrupt_data, when it is not what
 * encodeTextRules() writes.
 */
export function decodeTextRules({ schema, textRules }: ManifestCollection, path: string): TextRuleChange[] {
  if (textRules === undefined) return [];
  const [synonyms, language, words] = read(textRules, path, schema.name);
  const changes = synonyms.map(
    ([id, root, synonyms]): TextRuleChange => ({ kind: 'synonym', id, rule: { root, synonyms } }),
  );
  if (language !== null || words !== null) changes.push({ kind: 'stop-words', stopWords: { language, words } });
  return changes;
}

function read(bytes: Uint8Array, path: string, collection: string): TextRulesPayload {
  try {
    const checked = validateTextRules(decodeFields(bytes));
    if (checked.success) return checked.data;
    throw shapeError('payload', checked.errors);
  } catch (error) {
    const got = error instanceof Error ? error.message : String(error);
    const expected = `synonyms and stop words of the collection "${collection}"`;
    throw damaged(path, 'wrong payload', MANIFEST_HEADER_BYTES, expected, got);
  }
}
