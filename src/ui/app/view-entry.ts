/**
 * What a view is to the shell, and what the shell gives it. Implemented by the views, listed in views.ts.
 */
import type { ComponentType } from 'preact';
import type { Route } from './route.js';

/** What each view is given: the place that the URL names. Everything else comes from useSession(). */
export interface ViewProps {
  readonly route: Route;
}

interface Entry {
  /** First part of the route: `#/search/products`. */
  readonly path: string;
  readonly title: string;
}

/** A view that is part of the page, or is loaded when it is first opened. */
export type ViewEntry =
  | (Entry & { readonly view: ComponentType<ViewProps> })
  | (Entry & { readonly load: () => Promise<ComponentType<ViewProps>> });
