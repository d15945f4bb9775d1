/**
 * The schema of a collection, as it is.
 */
import type { CollectionView } from '../../../client/client.js';
import { FieldHeads } from '../parts/field-controls.js';
import { FIELD_SWITCHES } from '../parts/field-settings.js';
import { Scrolls } from '../parts/scrolls.js';

function typoWords({ typo_tolerance: typos }: CollectionView): string {
  if (!typos.enabled || typos.max_typos === 0) return 'off';
  const one = `one typo from ${typos.one_typo_min_len} letters on`;
  return typos.max_typos === 1 ? one : `${one}, two from ${typos.two_typo_min_len}`;
}

/** Fields and settings of `collection`. */
export function SchemaShown({ collection }: { readonly collection: CollectionView }) {
  return (
    <>
      <Scrolls label="Fields">
        <table class="grid">
          <thead>
            <tr>
              <th scope="col">Field</th>
              <FieldHeads />
            </tr>
          </thead>
          <tbody>
            {collection.fields.map((field) => (
              <tr key={field.name}>
                <th scope="row">{field.name}</th>
                <td>
                  <code>{field.type}</code>
                </td>
                {FIELD_SWITCHES.map(([key]) => (
                  <td key={key}>{field[key] && (key !== 'index' || field.type === 'text') ? 'yes' : '–'}</td>
                ))}
                <td>{field.boost ?? '–'}</td>
                <td>{field.stem ?? '–'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolls>
      <dl class="settings">
        <div>
          <dt>Typos forgiven</dt>
          <dd>{typoWords(collection)}</dd>
        </div>
        <div>
          <dt>Default order</dt>
          <dd>
            {collection.default_sorting_field === null
              ? 'as added'
              : `${collection.default_sorting_field}, largest first`}
            {collection.near_ties === true && ', among near ties, too'}
          </dd>
        </div>
        {collection.ranking === 'bm25' && (
          <div>
            <dt>Ranking</dt>
            <dd>BM25 alone</dd>
          </div>
        )}
        {collection.compress_documents === false && (
          <div>
            <dt>Documents</dt>
            <dd>as received</dd>
          </div>
        )}
      </dl>
    </>
  );
}
