/**
 * All synonyms and stop words of a collection as bytes: what its entry of the manifest holds. MessagePack, part of the
 * file's format (types/records.ts). One value instead of thousands, because manifests cross threads and are checked whole.
 */
import { decode, encode } from '@msgpack/msgpack';
import { EngineError } from '../../core/errors.js';
import type { StopWords, Synonym, TextRuleChange } from '../../core/text-rules.js';
import { validateTextRules } from '../generated/records.js';
import type { TextRulesPayload } from '../types/records.js';
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

/** The changes that make of nothing what `bytes` hold. `where` names them in messages. Errors: corrupt_data. */
export function decodeTextRules(bytes: Uint8Array, where: string): TextRuleChange[] {
  const [synonyms, language, words] = read(bytes, where);
  const changes = synonyms.map(
    ([id, root, synonyms]): TextRuleChange => ({ kind: 'synonym', id, rule: { root, synonyms } }),
  );
  if (language !== null || words !== null) changes.push({ kind: 'stop-words', stopWords: { language, words } });
  return changes;
}

function read(bytes: Uint8Array, where: string): TextRulesPayload {
  try {
    const checked = validateTextRules(decode(bytes));
    if (checked.success) return checked.data;
    throw shapeError('text rules', checked.errors);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new EngineError('corrupt_data', `${where}: expected synonyms and stop words, got ${reason}`, {
      cause: error,
    });
  }
}
