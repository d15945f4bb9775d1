import instantsearch from 'instantsearch.js';
import { hits, pagination, rangeInput, refinementList, searchBox, sortBy, stats } from 'instantsearch.js/es/widgets';
import { createClient } from 'sabre-search/client';
import { createInstantSearch } from 'sabre-search/instantsearch';

// Where the server is, and a key that may only search: ?url=https://search.example&key=for-the-shop
const page = new URLSearchParams(location.search);
const client = createClient({
  url: page.get('url') ?? 'http://localhost:8108',
  key: page.get('key') ?? '',
});

const search = instantsearch({
  indexName: 'products',
  searchClient: createInstantSearch({ client }),
});

search.addWidgets([
  searchBox({ container: '#box', placeholder: 'Search the shop' }),
  refinementList({ container: '#brands', attribute: 'brand', searchable: true }),
  rangeInput({ container: '#price', attribute: 'price' }),
  sortBy({
    container: '#sort',
    items: [
      { label: 'Best', value: 'products' },
      { label: 'Cheapest', value: 'products/sort/price:asc' },
    ],
  }),
  stats({ container: '#stats' }),
  hits({
    container: '#hits',
    templates: {
      item: (hit, { html, components }) => html`
        <article>
          <h2>${components.Highlight({ hit, attribute: 'title' })}</h2>
          <p>${components.Highlight({ hit, attribute: 'brand' })}, ${hit.price} €</p>
        </article>
      `,
      empty: ({ query }, { html }) => html`Nothing for “${query}”.`,
    },
  }),
  pagination({ container: '#pages' }),
]);

search.start();
