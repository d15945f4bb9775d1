/**
 * The view "Analytics": loaded when it is first opened.
 */
import { useCollection } from '../session.js';
import type { ViewProps } from '../view-entry.js';

/** The view at `route`. */
export function AnalyticsView({ route }: ViewProps) {
  const collection = useCollection(route.collection);
  return (
    <section>
      <h1>Analytics</h1>
      <p>{collection === null ? 'No collection is chosen.' : `${collection.num_documents} documents`}</p>
    </section>
  );
}
