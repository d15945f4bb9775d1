/**
 * Aliases of collections on the wire. Doc comments are the descriptions in /openapi.json.
 */

export interface AliasBody {
  /** name of the collection that it is to stand for; not of another alias */
  collection: string;
  /** as in the path, if given: so that an alias can be sent as it was shown */
  name?: string | null;
}

/** A name that stands wherever that of its collection does. */
export interface AliasView {
  name: string;
  /** name of the collection */
  collection: string;
}
