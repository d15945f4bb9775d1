/**
 * Writes of a crash campaign that are no documents: synonyms and stop words, aliases, changes of schemas. Used by traffic.ts.
 */
import type { Reply } from '../../support/client.js';
import { ALIASES_OF, aliasText, type Name, type Registers } from './ledger.js';
import { below, pick, withPatched } from './random-content.js';
import { send, type Traffic, unexpected, writeRegisters } from './sending.js';

const RULE_IDS = 6;

const isMissing = ({ text }: Reply): boolean => text.includes('collection_not_found');

/** Sets or removes a synonym, or the stop words: of words that no search asks for, so that all searches find what they did. */
export async function changeRule(traffic: Traffic, { current, name }: Name): Promise<void> {
  const { random, client } = traffic;
  if (current === null) return;
  const number = below(random, RULE_IDS);
  const id = number === 0 ? 'stop-words' : `synonyms/s${number}`;
  const words = Array.from({ length: 2 + below(random, 4) }, (_, i) => `zz${i}zz${below(random, 1000)}`);
  const isSet = below(random, 3) > 0;
  const body = JSON.stringify(number === 0 ? { words } : { id: `s${number}`, synonyms: words });
  const path = `/collections/${name}/${id}`;
  await writeRegisters(
    traffic,
    current,
    `change of ${name}/${id}`,
    new Map([[id, isSet ? body : null]]),
    () => (isSet ? client.request('PUT', path, { body }) : client.delete(path)),
    (reply) => reply.status === (isSet ? 200 : 204) || (reply.status === 404 && !isMissing(reply)),
  );
}

/** Points an alias of `client` to one of `entries`, or removes it. */
export async function changeAlias(
  traffic: Traffic,
  aliases: Registers,
  client: string,
  entries: readonly Name[],
): Promise<void> {
  const { random } = traffic;
  const alias = `${client}-${below(random, ALIASES_OF)}`;
  const there = entries.filter(({ current }) => current !== null);
  const isSet = there.length > 0 && below(random, 4) > 0;
  const text = isSet ? aliasText(alias, pick(random, there).name) : null;
  const path = `/aliases/${alias}`;
  await writeRegisters(
    traffic,
    aliases,
    `change of alias ${alias}`,
    new Map([[alias, text]]),
    () => (text === null ? traffic.client.delete(path) : traffic.client.request('PUT', path, { body: text })),
    (reply) => reply.status === (isSet ? 200 : 204) || (reply.status === 404 && !isSet),
  );
}

/** Has a field indexed that documents hold and the schema lacks, or no longer so. */
export async function changeSchema(traffic: Traffic, { current, name }: Name): Promise<void> {
  if (current === null) return;
  const { schema, change } = withPatched(current.schema);
  current.nextSchema = schema;
  const body = JSON.stringify(change);
  const reply = await send(traffic, () => traffic.client.request('PATCH', `/collections/${name}`, { body }));
  if (reply.status === 200) {
    current.schema = schema;
    traffic.counts.writes++;
  }
  // One that was begun goes on at the next start, when the server has ended before.
  const isLeft = traffic.isEnding && reply.text.includes('goes on at the next start');
  if (!isLeft) current.nextSchema = null;
  if (reply.status !== 200) unexpected(traffic, `change of the schema of ${name}`, reply);
}
