/**
 * Tells the other nodes how far this one has got, over a subject that nothing keeps. Used by cluster-thread.ts.
 */
import type { ProgressPort } from './member-ports.js';
import type { NatsLink } from './nats-link.js';
import type { ClusterNames } from './nats-names.js';

export class NatsProgress implements ProgressPort {
  readonly #link: NatsLink;
  readonly #subject: string;
  readonly #own: string;

  constructor(link: NatsLink, { applied }: ClusterNames, node: string) {
    this.#link = link;
    this.#subject = `${applied}.*`;
    this.#own = `${applied}.${node}`;
  }

  send(life: string, sequence: number): void {
    if (this.#link.isConnected && !this.#link.connection.isClosed())
      this.#link.connection.publish(this.#own, `${life} ${sequence}`);
  }

  listen(receive: (life: string, sequence: number) => void): void {
    this.#link.connection.subscribe(this.#subject, {
      callback: (error, message) => {
        if (error !== null || message.subject === this.#own) return;
        const [life = '', sequence] = message.string().split(' ');
        receive(life, Number(sequence));
      },
    });
  }
}
