/**
 * A longer way between two processes: a TCP proxy that hands on what it gets in order, each piece after a delay. Used by cluster.ts where the
 * kernel's own means of delaying (tc netem) may be missing.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** What one end has sent and the other has not got. */
interface Piece {
  readonly dueMs: number;
  /** null: nothing comes behind it. */
  readonly bytes: Buffer | null;
}

export class DelayProxy {
  /** How long the next piece takes each way. */
  delayMs: () => number;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(server: Server, delayMs: () => number) {
    this.#server = server;
    this.delayMs = delayMs;
  }

  /** Listens on a free port of `address`, for what `host` and `port` are reached by. */
  static async start(address: string, host: string, port: number, delayMs: () => number): Promise<DelayProxy> {
    const server = createServer({ noDelay: true });
    const proxy = new DelayProxy(server, delayMs);
    server.on('connection', (near) => {
      const far = connect({ host, port, noDelay: true });
      proxy.#join(near, far);
      proxy.#join(far, near);
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

  /** Hands on what comes from `from`: no piece overtakes another, however short its way. */
  #join(from: Socket, to: Socket): void {
    this.#sockets.add(from);
    const pieces: Piece[] = [];
    let lastDueMs = 0;
    const handOn = (): void => {
      while (pieces.length > 0 && pieces[0].dueMs <= performance.now()) {
        const [{ bytes }] = pieces.splice(0, 1);
        if (bytes === null) to.destroy();
        else to.write(bytes);
      }
      if (pieces.length > 0) setTimeout(handOn, pieces[0].dueMs - performance.now());
    };
    const take = (bytes: Buffer | null): void => {
      lastDueMs = Math.max(lastDueMs, performance.now() + this.delayMs());
      pieces.push({ dueMs: lastDueMs, bytes });
      if (pieces.length === 1) handOn();
    };
    from.on('data', take);
    from.on('close', () => {
      this.#sockets.delete(from);
      take(null);
    });
    from.on('error', () => {});
  }
}
