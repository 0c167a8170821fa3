import { createConnection, type Socket } from 'node:net';
import type { Answered, Load, OneCall } from './open-loop.ts';

interface Waiting {
  text: string;
  meant: number;
  done(answer: Answered): void;
}

interface Connection {
  socket: Socket;
  current: Waiting | null;
  received: string;
}

/**
 * As `loadOn`, for many more calls a second: raw connections, whose answers must have a length. A call waits while each connection has
 * one; its duration counts from its scheduled time.
 */
export function rawLoadOn(url: string, connections: number): Load {
  const { hostname, port, host } = new URL(url);
  const idle: Connection[] = [];
  const all = new Set<Connection>();
  const queue: Waiting[] = [];

  const begin = (connection: Connection, call: Waiting) => {
    connection.current = call;
    connection.received = '';
    connection.socket.write(call.text);
  };
  const finish = (connection: Connection, status: number, head: string) => {
    const { current } = connection;
    connection.current = null;
    const retry = /\r\nretry-after: (\d+)/i.exec(head)?.[1];
    current?.done({ status, took: performance.now() - current.meant, retry_after: retry === undefined ? null : Number(retry) });
  };
  const next = (connection: Connection) => {
    const call = queue.shift();
    if (call) begin(connection, call);
    else idle.push(connection);
  };
  const open = (): Connection => {
    const connection: Connection = { socket: createConnection(Number(port), hostname), current: null, received: '' };
    all.add(connection);
    connection.socket.setNoDelay(true);
    connection.socket.on('error', () => {});
    connection.socket.on('data', (data) => {
      connection.received += data.toString('latin1');
      const end = connection.received.indexOf('\r\n\r\n');
      if (end < 0) return;
      const head = connection.received.slice(0, end);
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? Number.NaN);
      if (connection.received.length < end + 4 + length) return;
      finish(connection, Number(head.slice(9, 12)), head);
      next(connection);
    });
    connection.socket.on('close', () => {
      all.delete(connection);
      const n = idle.indexOf(connection);
      if (n >= 0) idle.splice(n, 1);
      finish(connection, 0, '');
      // Calls that waited for it need another one.
      const call = queue.shift();
      if (call) begin(open(), call);
    });
    return connection;
  };

  return {
    send: (call) =>
      new Promise((done) => {
        const waiting: Waiting = { text: textOf(call, host), meant: call.meant ?? performance.now(), done };
        const connection = idle.pop() ?? (all.size < connections ? open() : undefined);
        if (connection) begin(connection, waiting);
        else queue.push(waiting);
      }),
    close() {
      queue.length = 0;
      for (const { socket } of all) socket.destroy();
    },
  };
}

function textOf({ path, method = 'GET', token, cookie, body }: OneCall, host: string): string {
  const json = body === undefined ? '' : JSON.stringify(body);
  const headers = [
    `host: ${host}`,
    ...(token ? [`authorization: Bearer ${token}`] : []),
    ...(cookie ? [`cookie: ${cookie}`] : []),
    ...(json ? ['content-type: application/json', `content-length: ${Buffer.byteLength(json)}`] : []),
  ];
  return `${method} /api${path} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n${json}`;
}
