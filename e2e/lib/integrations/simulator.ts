import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

/** A service of someone else, on the loopback: what it was asked, and what it answers. */
export interface Simulator {
  /** Without a slash at the end. */
  url: string;
  /** Oldest first. */
  asked: Asked[];
  /** Whatever it is asked from now on it answers with this status and nothing else; null: as usual. */
  breakWith(status: number | null): void;
  close(): Promise<void>;
}

export interface Asked {
  method: string;
  /** Without the query. */
  path: string;
  query: URLSearchParams;
  type: string;
  cookies: string;
  body: string;
}

interface Reply {
  status?: number;
  type?: string;
  body?: string;
}

export async function startSimulator(answer: (asked: Asked) => Reply): Promise<Simulator> {
  const asked: Asked[] = [];
  let broken: number | null = null;
  const server = createServer(async (request, reply) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const { 'content-type': type = '', cookie: cookies = '' } = request.headers;
    const one = { method: request.method ?? '', path: pathname, query: searchParams, type, cookies, body: await text(request) };
    asked.push(one);
    const { status = 200, type: answered = 'text/plain', body = '' } = broken === null ? answer(one) : { status: broken };
    // Not kept by the browser: what is asked twice is seen twice.
    reply.writeHead(status, { 'content-type': answered, 'access-control-allow-origin': '*', 'cache-control': 'no-store' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    asked,
    breakWith: (status) => {
      broken = status;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
