/**
 * One hit: its title and texts with what matched in them, its other fields, and on demand why it is one.
 */
import { useState } from 'preact/hooks';
import type { CollectionView, Document, Hit, SearchOf } from '../../../client/client.js';
import { ExplainPanel } from './explain-panel.js';
import { partsOf } from './marked-text.js';
import { searchedFields } from './search-fields.js';

const FIELDS_SHOWN = 10;
const CHARS_SHOWN = 240;

function Marked({ snippet }: { readonly snippet: string }) {
  return (
    <>
      {partsOf(snippet).map(({ text, isMarked }, rank) =>
        // Parts have no identity but their place.
        isMarked ? <mark key={rank}>{text}</mark> : text,
      )}
    </>
  );
}

function asText(value: unknown): string {
  if (Array.isArray(value)) return value.map(asText).join(', ');
  const text = typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
  return text.length > CHARS_SHOWN ? `${text.slice(0, CHARS_SHOWN)}…` : text;
}

/** The text of a field: with what matched where the server has marked it. */
function FieldText({ hit, field }: { readonly hit: Hit; readonly field: string }) {
  const snippet = hit.highlight?.[field]?.snippet;
  if (snippet !== undefined) return <Marked snippet={typeof snippet === 'string' ? snippet : snippet.join(' … ')} />;
  return <>{asText(hit.document[field] ?? '')}</>;
}

/** Whether a field that has `value` shows nothing. */
const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0);

/** Fields beside the texts, in the order of the document. */
const otherFields = (document: Document, texts: readonly string[]): [string, unknown][] =>
  Object.entries(document).filter(([name, value]) => name !== 'id' && !texts.includes(name) && !isEmpty(value));

interface HitItemProps {
  readonly hit: Hit;
  readonly collection: CollectionView;
  /** The search that explains it. */
  readonly explaining: SearchOf;
}

/** One hit of a search in `collection`. */
export function HitItem({ hit, collection, explaining }: HitItemProps) {
  const [explains, setExplains] = useState(false);
  const { document } = hit;
  const id = String(document['id']);
  const texts = searchedFields(collection)
    .map(({ name }) => name)
    .filter((name) => !isEmpty(document[name]));
  const [title, ...further] = texts;
  const others = otherFields(document, texts);
  return (
    <li class="hit card">
      <h2>{title === undefined ? id : <FieldText hit={hit} field={title} />}</h2>
      {further.length > 0 && (
        <dl class="texts">
          {further.map((field) => (
            <div key={field}>
              <dt>{field}</dt>
              <dd>
                <FieldText hit={hit} field={field} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {others.length > 0 && (
        <dl class="values">
          {others.slice(0, FIELDS_SHOWN).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{asText(value)}</dd>
            </div>
          ))}
        </dl>
      )}
      <div class="hit-foot">
        <span class="muted">
          id <code>{id}</code>
        </span>
        {hit.text_match > 0 && <span class="muted">relevance {hit.text_match.toPrecision(3)}</span>}
        <button type="button" class="plain" aria-expanded={explains} onClick={() => setExplains(!explains)}>
          Why this one?
        </button>
      </div>
      {explains && <ExplainPanel search={explaining} document={document} />}
    </li>
  );
}
