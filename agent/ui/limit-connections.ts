import type { Server, Socket } from 'node:net';

/** Far more than the pages and programs of one computer open. */
const MAX_CONNECTIONS = 64;

/**
 * Any program may connect to a server of the agent, and each connection costs the process one of its files. So the oldest connection without
 * a request gives its place to a new one: a program that opens many and sends nothing locks nobody out.
 */
export function limitConnections(server: Server, isAnswering: (socket: Socket) => boolean): void {
  const connections = new Set<Socket>();
  server.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
    if (connections.size <= MAX_CONNECTIONS) return;
    const ended = [...connections].find((one) => !isAnswering(one)) ?? socket;
    connections.delete(ended);
    ended.destroy();
  });
}
