/**
 * All collections, with their sizes.
 */
import { useEffect, useState } from 'preact/hooks';
import type { CollectionView } from '../../../client/client.js';
import { formatBytes, formatCount, formatTime } from '../parts/format.js';
import { Scrolls } from '../parts/scrolls.js';
import { formatRoute } from '../route.js';
import { useSession } from '../session.js';
import { readCollectionBytes } from './collection-bytes.js';

/** Bytes by collection; null where they are not known, or not for this key. */
function useBytes(collections: readonly CollectionView[]): ReadonlyMap<string, number> | null {
  const { client } = useSession();
  const [bytes, setBytes] = useState<ReadonlyMap<string, number> | null>(null);
  useEffect(() => {
    const stop = new AbortController();
    client
      .metrics({ signal: stop.signal })
      .then((text) => setBytes(readCollectionBytes(text)))
      .catch(() => setBytes(null));
    return () => stop.abort();
  }, [client, collections]);
  return bytes !== null && bytes.size > 0 ? bytes : null;
}

interface CollectionListProps {
  readonly collections: readonly CollectionView[];
  readonly chosen: string;
}

/** The list; the chosen one is marked. */
export function CollectionList({ collections, chosen }: CollectionListProps) {
  const bytes = useBytes(collections);
  return (
    <Scrolls label="All collections">
      <table class="grid">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col" class="figure">
              Documents
            </th>
            <th scope="col" class="figure">
              Segments
            </th>
            {bytes !== null && (
              <th scope="col" class="figure">
                Size
              </th>
            )}
            <th scope="col" class="figure">
              Created
            </th>
          </tr>
        </thead>
        <tbody>
          {collections.map((each) => (
            <tr key={each.name} class={each.name === chosen ? 'chosen' : ''}>
              <td>
                <a
                  href={formatRoute({ view: 'collections', collection: each.name })}
                  aria-current={each.name === chosen ? 'true' : undefined}
                >
                  {each.name}
                </a>
              </td>
              <td class="figure">{formatCount(each.num_documents)}</td>
              <td class="figure">{formatCount(each.num_segments)}</td>
              {bytes !== null && <td class="figure">{formatBytes(bytes.get(each.name) ?? 0)}</td>}
              <td class="figure">{formatTime(each.created_at)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolls>
  );
}
