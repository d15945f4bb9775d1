/**
 * The least that the HTTP library can be asked for: an app that answers every request with the same few bytes. What toll.ts
 * holds the server against. Started as a process of its own; prints its port.
 */
import { loadUws, type us_listen_socket } from '../src/http/uws.js';

const uws = loadUws();
uws
  .App()
  .any('/*', (response) => {
    response.end('{"ok":true}');
  })
  .listen('127.0.0.1', 0, (socket: us_listen_socket | false) => {
    if (socket === false) throw new Error('no port is free');
    process.stdout.write(`${uws.us_socket_local_port(socket)}\n`);
  });
