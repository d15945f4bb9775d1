/**
 * The place in the page, kept in the fragment of the URL: `#/VIEW/COLLECTION?PARAMETERS`. So a link leads back to the same
 * search, the server needs one page alone, and what people type stays out of logs. A key is never part of it.
 *
 * Read by the shell and handed to the views, which go elsewhere with go() or a plain link to formatRoute().
 */

export interface Route {
  /** '' where the URL names none. */
  readonly view: string;
  /** '' where the URL names none. */
  readonly collection: string;
  /** What the view keeps in the URL, as sent: names and values without encoding. */
  readonly params: ReadonlyMap<string, string>;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // Typed by hand: shown as it is.
  }
}

/** Returns the place that the fragment `hash` ('#/search/products?q=mouse') names. Never fails: what is missing is ''. */
export function parseRoute(hash: string): Route {
  const text = hash.replace(/^#?\/?/, '');
  const mark = text.indexOf('?');
  const [view = '', collection = ''] = (mark < 0 ? text : text.slice(0, mark)).split('/').map(decode);
  return { view, collection, params: new Map(new URLSearchParams(mark < 0 ? '' : text.slice(mark + 1))) };
}

/** Returns the fragment that names a place. Empty parameters are left out. */
export function formatRoute({ view, collection, params }: Partial<Route> & { readonly view: string }): string {
  const kept = [...(params ?? [])].filter(([, value]) => value !== '');
  const query = kept.length === 0 ? '' : `?${new URLSearchParams(kept)}`;
  const path = collection === undefined || collection === '' ? '' : `/${encodeURIComponent(collection)}`;
  return `#/${view}${path}${query}`;
}

type Listener = () => void;
const listeners = new Set<Listener>();

/** Calls `listener` when the place has changed, until the function returned is called. */
export function onRouteChange(listener: Listener): () => void {
  listeners.add(listener);
  window.addEventListener('hashchange', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('hashchange', listener);
  };
}

/** Goes to a place. With `replace` the Back button does not lead to the one before: for what changes with each letter. */
export function go(target: Parameters<typeof formatRoute>[0], { replace = false } = {}): void {
  const hash = formatRoute(target);
  if (replace) history.replaceState(null, '', hash);
  else history.pushState(null, '', hash);
  for (const listener of listeners) listener();
}
