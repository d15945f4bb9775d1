/**
 * Says why an address cannot be listened on, and what to do: uWebSockets.js tells only that it cannot.
 *
 * Called by server.ts when it failed, never before: asking first would not make the listening succeed.
 */
import { createServer } from 'node:net';

/** Error code of a second attempt to listen on `host` and `port`, '' when that one succeeds. */
function failureCode(host: string, port: number): Promise<string> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    probe.listen({ host, port }, () => probe.close(() => resolve('')));
  });
}

const addressOf = (host: string, port: number): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;

/** Returns the message for the person who starts a server that cannot listen on `host` and `port`. */
export async function describeListenFailure(host: string, port: number): Promise<string> {
  const code = await failureCode(host, port);
  const message = `cannot listen on ${addressOf(host, port)}`;
  switch (code) {
    case 'EADDRINUSE':
      return (
        `${message}: port ${port} is in use. Stop the program that has it, perhaps another Sabre, or choose another ` +
        `port, for example --listen ${addressOf(host, port === 65535 ? port - 1 : port + 1)}`
      );
    case 'EACCES':
      return `${message}: port ${port} needs privileges. Choose one from 1024 on, for example --listen ${addressOf(host, 8108)}`;
    case 'EADDRNOTAVAIL':
      return `${message}: this machine does not have the address ${host}. 0.0.0.0 is all that it has, 127.0.0.1 itself`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${message}: there is no address for the name ${host}`;
    default:
      return `${message}: ${code === '' ? 'the address was in use a moment ago, try again' : code}`;
  }
}
