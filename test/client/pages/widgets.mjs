/**
 * A page with the widgets of instantsearch.js that the adapter must serve, one element each. Bundled by its test, which sets
 * `window.sabre` and reads what the widgets show.
 */
import instantsearch from 'instantsearch.js';
import { connectAutocomplete } from 'instantsearch.js/es/connectors';
import * as widgets from 'instantsearch.js/es/widgets';
import { createClient } from '../../../dist/client/client.js';
import { createInstantSearch } from '../../../dist/client/instantsearch.js';

const { url, key, indexName } = window.sabre;
const client = createClient({ url, key });

/** The element with this id, made if need be. */
function at(id) {
  const element = document.body.appendChild(document.createElement('div'));
  element.id = id;
  return element;
}

const hitTemplate = (hit, { html, components }) => html`<b data-id=${hit.objectID}>
  ${components.Highlight({ hit, attribute: 'title' })}|${components.Snippet({ hit, attribute: 'title' })}</b>`;

const autocomplete = connectAutocomplete(({ indices, refine }, isFirst) => {
  if (isFirst) document.querySelector('#complete').oninput = (event) => refine(event.target.value);
  document.querySelector('#completions').textContent = indices
    .filter(({ indexId }) => indexId === 'completed')
    .flatMap(({ hits }) => hits.map(({ title }) => title))
    .slice(0, 2)
    .join(';');
});
document.body.appendChild(document.createElement('input')).id = 'complete';
at('completions');

const search = instantsearch({ indexName, searchClient: createInstantSearch({ client }) });
search.on('error', ({ error }) => {
  document.body.dataset.error = String(error);
});
search.addWidgets([
  widgets.configure({ attributesToSnippet: ['title:2'] }),
  widgets.searchBox({ container: at('box') }),
  widgets.stats({ container: at('stats'), templates: { text: ({ nbHits }) => String(nbHits) } }),
  widgets.hits({ container: at('hits'), templates: { item: hitTemplate } }),
  widgets.refinementList({ container: at('brands'), attribute: 'brand', searchable: true, limit: 5 }),
  widgets.refinementList({ container: at('tags'), attribute: 'tags', operator: 'and' }),
  widgets.numericMenu({
    container: at('menu'),
    attribute: 'price',
    items: [{ label: 'All' }, { label: 'cheap', end: 20 }, { label: 'dear', start: 20.5 }],
  }),
  widgets.rangeInput({ container: at('range'), attribute: 'year' }),
  widgets.toggleRefinement({ container: at('toggle'), attribute: 'in_stock' }),
  widgets.sortBy({
    container: at('sort'),
    items: [
      { label: 'relevance', value: indexName },
      { label: 'cheapest', value: `${indexName}/sort/price:asc` },
    ],
  }),
  widgets.hitsPerPage({
    container: at('size'),
    items: [
      { label: 'five', value: 5, default: true },
      { label: 'ten', value: 10 },
    ],
  }),
  widgets.pagination({ container: at('pages') }),
  widgets.index({ indexName, indexId: 'more' }).addWidgets([
    widgets.configure({ hitsPerPage: 4 }),
    widgets.infiniteHits({
      container: at('infinite'),
      templates: { item: (hit, { html }) => html`<i>${hit.objectID}</i>` },
    }),
  ]),
  widgets.index({ indexName, indexId: 'completed' }).addWidgets([autocomplete({})]),
]);
search.start();
