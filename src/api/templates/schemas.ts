/**
 * Source of generated/schemas.ts: `npm run build:validators` replaces each call by the JSON schemas of the types.
 */
import typia from 'typia';
import type { AliasBody, AliasView } from '../types/aliases.js';
import type { CollectionSchema, CollectionView, SchemaChange, SchemaChangeCheck } from '../types/collections.js';
import type {
  BatchReport,
  DeletedDocuments,
  Document,
  MultiSearchResponse,
  SearchResponse,
  ShownDocument,
  SuggestResponse,
} from '../types/documents.js';
import type {
  AnalyticsParameters,
  ChangeParameters,
  CommonParameters,
  DeleteParameters,
  DropParameters,
  ExportParameters,
  FetchParameters,
  IndexParameters,
  MultiSearchBody,
  SearchBody,
  SearchParameters,
  SuggestParameters,
} from '../types/parameters.js';
import type { ErrorBody, Health, Index, Latency, NotReady, QueryList, Ready, Snapshot } from '../types/server.js';
import type { StopWordsBody, StopWordsView, SynonymBody, SynonymView } from '../types/text-rules.js';

export const bodySchemas = typia.json.schemas<
  [
    CollectionSchema,
    CollectionView,
    SchemaChange,
    SchemaChangeCheck,
    AliasBody,
    AliasView,
    Document,
    ShownDocument,
    BatchReport,
    DeletedDocuments,
    SynonymBody,
    SynonymView,
    StopWordsBody,
    StopWordsView,
    SearchBody,
    MultiSearchBody,
    MultiSearchResponse,
    SearchResponse,
    SuggestResponse,
    QueryList,
    Latency,
    Health,
    Index,
    Ready,
    Snapshot,
    ErrorBody,
    NotReady,
  ],
  '3.1'
>();

export const parameterSchemas = typia.json.schemas<
  [
    CommonParameters,
    SearchParameters,
    ExportParameters,
    FetchParameters,
    SuggestParameters,
    AnalyticsParameters,
    ChangeParameters,
    DropParameters,
    IndexParameters,
    DeleteParameters,
  ],
  '3.1'
>();
