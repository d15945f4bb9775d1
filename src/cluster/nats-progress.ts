/**
 * Tells other nodes how far this one has got, over subjects that nothing keeps. Used by cluster-thread.ts.
 */
import type { ProgressPort } from './member-ports.js';
import type { NatsLink } from './nats-link.js';
import type { ClusterNames } from './nats-names.js';

export class NatsProgress implements ProgressPort {
  readonly #link: NatsLink;
  readonly #prefix: string;
  readonly #node: string;

  constructor(link: NatsLink, { applied }: ClusterNames, node: string) {
    this.#link = link;
    this.#prefix = applied;
    this.#node = node;
  }

  send(to: string | null, life: string, sequence: number): void {
    if (this.#link.isConnected && !this.#link.connection.isClosed())
      this.#link.connection.publish(this.#subjectOf(to), `${life} ${sequence}`);
  }

  listen(receive: (life: string, sequence: number) => void): void {
    for (const subject of [this.#subjectOf(null), this.#subjectOf(this.#node)])
      this.#link.connection.subscribe(subject, {
        callback: (error, message) => {
          if (error !== null) return;
          const [life = '', sequence] = message.string().split(' ');
          receive(life, Number(sequence));
        },
      });
  }

  #subjectOf(node: string | null): string {
    return node === null ? `${this.#prefix}.all` : `${this.#prefix}.to.${node}`;
  }
}
