/**
 * A longer way between two processes: a TCP proxy that hands on what it gets in order, each piece after a delay. Used by cluster.ts where the
 * kernel's own means of delaying (tc netem) may be missing.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

export class DelayProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(server: Server) {
    this.#server = server;
  }

  /** Listens on a free port of `address`, for what `host` and `port` are reached by with `delayMs` each way. */
  static async start(address: string, host: string, port: number, delayMs: number): Promise<DelayProxy> {
    const server = createServer({ noDelay: true });
    const proxy = new DelayProxy(server);
    server.on('connection', (near) => {
      const far = connect({ host, port, noDelay: true });
      proxy.#join(near, far, delayMs);
      proxy.#join(far, near, delayMs);
    });
    server.listen(0, address);
    await once(server, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #join(from: Socket, to: Socket, delayMs: number): void {
    this.#sockets.add(from);
    from.on('data', (chunk) => setTimeout(() => to.write(chunk), delayMs));
    // What it has sent before is on its way.
    from.on('close', () => {
      this.#sockets.delete(from);
      setTimeout(() => to.destroy(), delayMs);
    });
    from.on('error', () => {});
  }
}
