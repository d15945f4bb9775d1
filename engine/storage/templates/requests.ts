/**
 * Source of generated/requests.ts: `npm run build:validators` replaces each call by the code that checks the type.
 */
import typia from 'typia';
import type {
  AliasRequest,
  ChangeEndRequest,
  ChangeRequest,
  CreateRequest,
  DeleteMatchingRequest,
  DeleteRequest,
  DropRequest,
  IndexRequest,
} from '../types/requests.js';

export const validateCreateRequest = typia.createValidate<CreateRequest>();
export const validateDropRequest = typia.createValidate<DropRequest>();
export const validateAliasRequest = typia.createValidate<AliasRequest>();
export const validateIndexRequest = typia.createValidate<IndexRequest>();
export const validateDeleteRequest = typia.createValidate<DeleteRequest>();
export const validateDeleteMatchingRequest = typia.createValidate<DeleteMatchingRequest>();
export const validateChangeRequest = typia.createValidate<ChangeRequest>();
export const validateChangeEndRequest = typia.createValidate<ChangeEndRequest>();
