/**
 * What the streams, subjects and buckets of a cluster are called. Used by all that speaks with NATS.
 */

export interface ClusterNames {
  readonly stream: string;
  /** Messages of an origin are published under `${log}.${origin}`. */
  readonly log: string;
  readonly leases: string;
  readonly snapshots: string;
  /** Told how far others have got: all nodes under `${applied}.all`, one under `${applied}.to.${node}`. */
  readonly applied: string;
}

/** Names of the cluster `name`. */
export const clusterNames = (name: string): ClusterNames => ({
  stream: `SABRE_${name}`,
  log: `sabre.${name}.log`,
  leases: `SABRE_${name}_leases`,
  snapshots: `SABRE_${name}_snapshots`,
  applied: `sabre.${name}.applied`,
});
