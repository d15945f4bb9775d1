/**
 * Where the cluster thread's parts tell what they do: as a pino logger takes it. No secret and no document goes there.
 */
export interface ClusterLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}
