/**
 * Synonyms and stop words of a collection: set, get, list, remove. Searches see a change from its answer on.
 */
import { type Engine, EngineError, type StopWords, type Synonym } from '../../engine/index.js';
import { checkedBody } from '../api/checked-body.js';
import { assertStopWords, assertSynonym } from '../api/generated/validators.js';
import type { StopWordsView, SynonymView } from '../api/types/text-rules.js';
import type { AppContext } from '../app-context.js';
import { readBody } from '../http/body.js';
import type { Exchange } from '../http/exchange.js';
import { parseJsonBody } from '../http/json-body.js';
import { replyDone, replyJson, replyNoContent } from '../http/reply.js';
import { replyJsonList } from '../http/reply-list.js';
import { quoteForMessage, RequestError } from '../http/request-error.js';
import { decodePathSegment, type RouteDefinition } from '../http/router.js';

/** More than an entry of the longest words takes, every character escaped. */
const SYNONYM_BODY_BYTES_MAX = 256 * 1024;
const STOP_WORDS_BODY_BYTES_MAX = 1024 * 1024;

const collectionOf = ({ parameters }: Exchange): string => decodePathSegment(parameters[0] ?? '');
const idOf = ({ parameters }: Exchange): string => decodePathSegment(parameters[1] ?? '');

function viewSynonym({ id, root, synonyms }: Synonym): SynonymView {
  return root === null ? { id, synonyms } : { id, root, synonyms };
}

function viewStopWords({ language, words }: StopWords): StopWordsView {
  return { ...(language !== null && { language }), ...(words !== null && { words }) };
}

/** Reads a JSON body of at most `maxBytes` bytes; `act` gets its value when the engine serves. */
function withBody(
  context: AppContext,
  exchange: Exchange,
  maxBytes: number,
  act: (body: unknown, engine: Engine) => void,
): void {
  readBody(exchange, Math.min(context.maxBodyBytes, maxBytes), context.bodies, (bytes) => {
    const body = parseJsonBody(bytes);
    context.gate.pass(exchange, (engine) => act(body, engine));
  });
}

/** Answers what `change` resolves with: `view`, or 204 without one. */
function settle(exchange: Exchange, change: Promise<void>, view?: SynonymView | StopWordsView): void {
  change.then(
    () => (view === undefined ? replyNoContent(exchange) : replyDone(exchange, 200, view)),
    (error: unknown) => exchange.fail(error),
  );
}

/** The validators take an array for an object. Throws `code`. */
function refuseArray(what: string, body: unknown, code: 'invalid_synonym' | 'invalid_stop_words'): void {
  if (Array.isArray(body)) throw new RequestError(code, `${what}: expected an object, got an array`);
}

/** The synonym `id` that `body` describes. Throws `invalid_synonym`. */
function readSynonym(id: string, body: unknown): Synonym {
  refuseArray('synonym', body, 'invalid_synonym');
  const { root = null, synonyms, id: named = null } = checkedBody(assertSynonym, body, 'synonym', 'invalid_synonym');
  if (named !== null && named !== id) {
    const message = `synonym "id": expected ${quoteForMessage(id)} as in the path, or none, got ${quoteForMessage(named)}`;
    throw new RequestError('invalid_synonym', message);
  }
  return { id, root, synonyms };
}

/** Throws `invalid_stop_words`. */
function readStopWords(body: unknown): StopWords {
  refuseArray('stop words', body, 'invalid_stop_words');
  const { language = null, words = null } = checkedBody(assertStopWords, body, 'stop words', 'invalid_stop_words');
  return { language, words };
}

function putSynonym(context: AppContext, exchange: Exchange): void {
  withBody(context, exchange, SYNONYM_BODY_BYTES_MAX, (body, { textRules }) => {
    const synonym = readSynonym(idOf(exchange), body);
    settle(exchange, textRules.putSynonym(collectionOf(exchange), synonym), viewSynonym(synonym));
  });
}

function getSynonym(context: AppContext, exchange: Exchange): void {
  context.gate.pass(exchange, ({ textRules }) => {
    const id = idOf(exchange);
    const synonym = textRules.getSynonym(collectionOf(exchange), id);
    if (synonym === null)
      throw new EngineError('synonym_not_found', `there is no synonym with the id ${quoteForMessage(id)}`);
    replyJson(exchange, 200, viewSynonym(synonym));
  });
}

function listSynonyms(context: AppContext, exchange: Exchange): void {
  context.gate.pass(exchange, ({ textRules }) => {
    const synonyms = textRules.listSynonyms(collectionOf(exchange));
    replyJsonList(exchange, synonyms.map(viewSynonym));
  });
}

function deleteSynonym(context: AppContext, exchange: Exchange): void {
  context.gate.pass(exchange, ({ textRules }) =>
    settle(exchange, textRules.deleteSynonym(collectionOf(exchange), idOf(exchange))),
  );
}

function putStopWords(context: AppContext, exchange: Exchange): void {
  withBody(context, exchange, STOP_WORDS_BODY_BYTES_MAX, (body, { textRules }) => {
    const stopWords = readStopWords(body);
    settle(exchange, textRules.putStopWords(collectionOf(exchange), stopWords), viewStopWords(stopWords));
  });
}

function getStopWords(context: AppContext, exchange: Exchange): void {
  context.gate.pass(exchange, ({ textRules }) => {
    const stopWords = textRules.getStopWords(collectionOf(exchange));
    if (stopWords === null) throw new EngineError('stop_words_not_found', 'the collection has no stop words');
    replyJson(exchange, 200, viewStopWords(stopWords));
  });
}

function deleteStopWords(context: AppContext, exchange: Exchange): void {
  context.gate.pass(exchange, ({ textRules }) => settle(exchange, textRules.deleteStopWords(collectionOf(exchange))));
}

export function textRuleRoutes(context: AppContext): RouteDefinition[] {
  return [
    {
      template: '/collections/{name}/synonyms',
      endpoints: { GET: { access: 'search', handle: (exchange) => listSynonyms(context, exchange) } },
    },
    {
      template: '/collections/{name}/synonyms/{id}',
      endpoints: {
        GET: { access: 'search', handle: (exchange) => getSynonym(context, exchange) },
        PUT: { access: 'admin', handle: (exchange) => putSynonym(context, exchange) },
        DELETE: { access: 'admin', handle: (exchange) => deleteSynonym(context, exchange) },
      },
    },
    {
      template: '/collections/{name}/stop-words',
      endpoints: {
        GET: { access: 'search', handle: (exchange) => getStopWords(context, exchange) },
        PUT: { access: 'admin', handle: (exchange) => putStopWords(context, exchange) },
        DELETE: { access: 'admin', handle: (exchange) => deleteStopWords(context, exchange) },
      },
    },
  ];
}
