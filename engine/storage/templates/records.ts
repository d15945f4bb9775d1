/**
 * Source of generated/records.ts: `npm run build:validators` replaces each call by the code that checks the type.
 */
import typia from 'typia';
import type {
  AliasPayload,
  ChangedPayload,
  ChangePayload,
  CreatePayload,
  DeleteManyPayload,
  DeletePayload,
  DocumentsPayload,
  DropPayload,
  StopWordsPayload,
  SynonymPayload,
  TextRulesPayload,
} from '../types/records.js';

export const validateCreate = typia.createValidate<CreatePayload>();
export const validateDrop = typia.createValidate<DropPayload>();
export const validateDocuments = typia.createValidate<DocumentsPayload>();
export const validateDelete = typia.createValidate<DeletePayload>();
export const validateDeleteMany = typia.createValidate<DeleteManyPayload>();
export const validateChange = typia.createValidate<ChangePayload>();
export const validateChanged = typia.createValidate<ChangedPayload>();
export const validateAlias = typia.createValidate<AliasPayload>();
export const validateSynonym = typia.createValidate<SynonymPayload>();
export const validateStopWords = typia.createValidate<StopWordsPayload>();
export const validateTextRules = typia.createValidate<TextRulesPayload>();
