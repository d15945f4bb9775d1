/**
 * Source of generated/validators.ts: `npm run build:validators` replaces each call by the code that checks the type.
 */
import typia from 'typia';
import type { AliasBody } from '../types/aliases.js';
import type { CollectionSchema, SchemaChange } from '../types/collections.js';
import type { KeyClaims } from '../types/keys.js';
import type { SearchBounds, SuggestBounds } from '../types/parameters.js';
import type { StopWordsBody, SynonymBody } from '../types/text-rules.js';

export const validateSearchBounds = typia.createValidate<SearchBounds>();
export const validateSuggestBounds = typia.createValidate<SuggestBounds>();
export const assertCollectionSchema = typia.createAssertEquals<CollectionSchema>();
export const assertSchemaChange = typia.createAssertEquals<SchemaChange>();
export const validateKeyClaims = typia.createValidateEquals<KeyClaims>();
export const assertAlias = typia.createAssertEquals<AliasBody>();
export const assertSynonym = typia.createAssertEquals<SynonymBody>();
export const assertStopWords = typia.createAssertEquals<StopWordsBody>();
