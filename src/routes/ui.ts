/**
 * The page at /ui, where the server shows one.
 */
import type { AppContext } from '../app-context.js';
import type { RouteDefinition } from '../http/router.js';
import { pageRoutes } from './page-routes.js';

/** Whether / leads browsers to the page: it is wanted, and there. */
export const leadsToPage = ({ pageFiles }: AppContext): boolean => pageFiles !== null;

/** The routes of the page; none where the server shows no page. */
export const uiRoutes = ({ pageFiles }: AppContext): RouteDefinition[] =>
  pageFiles === null ? [] : pageRoutes('/ui', pageFiles);
