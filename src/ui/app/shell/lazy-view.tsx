/**
 * Loads the module of a view when it is first opened, and shows it. Used by the shell. A view that throws, or cannot be
 * loaded, takes nothing else with it.
 */
import { Component, type ComponentChildren, type ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ErrorNote } from '../parts/error-note.js';
import type { Route } from '../route.js';
import type { ViewEntry, ViewProps } from '../view-entry.js';

const loaded = new Map<string, ComponentType<ViewProps>>();

interface BoundaryProps {
  readonly collection: string;
  readonly children: ComponentChildren;
}

/** Shows what its view has thrown, until another collection is chosen. */
class ViewBoundary extends Component<BoundaryProps, { readonly error: unknown }> {
  override state = { error: null };

  override componentDidCatch(error: unknown): void {
    this.setState({ error });
  }

  override componentDidUpdate({ collection }: BoundaryProps): void {
    if (collection !== this.props.collection && this.state.error !== null) this.setState({ error: null });
  }

  override render() {
    return this.state.error === null ? this.props.children : <ErrorNote error={this.state.error} />;
  }
}

/** Shows the view `entry` at `route`. */
export function LazyView({ entry, route }: { readonly entry: ViewEntry; readonly route: Route }) {
  const [, setLoadedPath] = useState('');
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    if ('view' in entry) return undefined;
    let isCurrent = true;
    setError(null);
    entry.load().then(
      (view) => {
        loaded.set(entry.path, view);
        if (isCurrent) setLoadedPath(entry.path);
      },
      (reason: unknown) => {
        if (isCurrent) setError(reason);
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [entry]);
  const View = 'view' in entry ? entry.view : loaded.get(entry.path);
  if (error !== null) return <ErrorNote error={error} />;
  if (View === undefined) return <p class="loading">Loading…</p>;
  return (
    <ViewBoundary key={entry.path} collection={route.collection}>
      <View route={route} />
    </ViewBoundary>
  );
}
