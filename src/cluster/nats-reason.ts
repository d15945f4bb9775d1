/**
 * Words why NATS does not do what it was asked, so that the same reason has the same words each time. Used by whoever tells it.
 */

/** Names that the client makes up for each request. */
const INBOX = /_INBOX\.[\w.*-]+/g;
const IS_OF_USER = /violation/i;

/** What is told of `error`. `user`: of the connection, null: it has no name. */
export function reasonOf(error: unknown, user: string | null = null): string {
  const text = error instanceof Error ? error.message : String(error);
  const reason = text.replace(INBOX, '_INBOX.>');
  return user !== null && IS_OF_USER.test(reason) ? `${reason} (of the user ${user})` : reason;
}
