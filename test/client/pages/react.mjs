/**
 * A page of react-instantsearch, for the same test: a search box, hits with highlights, and a list to refine by.
 */
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { Highlight, Hits, InstantSearch, RefinementList, SearchBox } from 'react-instantsearch';
import { createClient } from '../../../dist/client/client.js';
import { createInstantSearch } from '../../../dist/client/instantsearch.js';

const { url, key, indexName } = window.sabre;
const searchClient = createInstantSearch({ client: createClient({ url, key }) });
const hitComponent = ({ hit }) =>
  createElement('b', { 'data-id': hit.objectID }, createElement(Highlight, { hit, attribute: 'title' }));
const root = document.body.appendChild(document.createElement('main'));
createRoot(root).render(
  createElement(
    InstantSearch,
    { indexName, searchClient },
    createElement('div', { id: 'box' }, createElement(SearchBox)),
    createElement('div', { id: 'brands' }, createElement(RefinementList, { attribute: 'brand' })),
    createElement('div', { id: 'hits' }, createElement(Hits, { hitComponent })),
  ),
);
