/**
 * The views of the page, in the order of the navigation. A view is added here by one line; the module of
 * all but the first, and the style sheet that it imports, are loaded when it is first opened.
 */
import { SearchView } from './search/search-view.js';
import type { ViewEntry } from './view-entry.js';

export const VIEWS: readonly ViewEntry[] = [
  { path: 'search', title: 'Search', view: SearchView },
  { path: 'import', title: 'Import', load: async () => (await import('./import/import-view.js')).ImportView },
  {
    path: 'collections',
    title: 'Collections',
    load: async () => (await import('./collections/collections-view.js')).CollectionsView,
  },
  {
    path: 'analytics',
    title: 'Analytics',
    load: async () => (await import('./analytics/analytics-view.js')).AnalyticsView,
  },
];
