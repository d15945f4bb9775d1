/**
 * The head of the page: navigation between the views, the collection that they speak of, and the key.
 */
import icon from '../icon.svg';
import { formatRoute, go, type Route } from '../route.js';
import { useSession } from '../session.js';
import { VIEWS } from '../views.js';

/** Goes past the navigation, for people who use the keyboard. A plain link would change the route. */
function SkipLink() {
  return (
    <button type="button" class="skip" onClick={() => document.getElementById('main')?.focus()}>
      Skip to content
    </button>
  );
}

function CollectionChooser({ place }: { readonly place: Route }) {
  const { collections } = useSession();
  const names = (collections ?? []).map(({ name }) => name);
  // One that the URL names and the server does not know is shown as chosen all the same.
  const shown = place.collection === '' || names.includes(place.collection) ? names : [place.collection, ...names];
  return (
    <label class="chooser">
      <span>Collection</span>
      <select
        value={place.collection}
        disabled={shown.length === 0}
        onChange={(event) => go({ view: place.view, collection: event.currentTarget.value })}
      >
        {shown.length === 0 && <option value="">none yet</option>}
        {shown.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The head of the page at `place`. */
export function Header({ place }: { readonly place: Route }) {
  const { askForKey, hasKey } = useSession();
  return (
    <header class="head">
      <SkipLink />
      <div class="head-row">
        <a class="brand" href="#/">
          <img src={icon} alt="" width="24" height="24" />
          Sabre
        </a>
        <nav aria-label="Views">
          {VIEWS.map(({ path, title }) => (
            <a
              key={path}
              href={formatRoute({ view: path, collection: place.collection })}
              aria-current={path === place.view ? 'page' : undefined}
            >
              {title}
            </a>
          ))}
        </nav>
        <CollectionChooser place={place} />
        <button type="button" class="key-button" onClick={askForKey}>
          {hasKey ? 'Key set' : 'Key'}
        </button>
      </div>
    </header>
  );
}
