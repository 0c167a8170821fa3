import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

export interface Simulator {
  /** The address without a trailing slash. */
  url: string;
  /** The received requests, oldest first. */
  asked: Asked[];
  /** Answers every request with this status from now on; null: as usual. */
  breakWith(status: number | null): void;
  close(): Promise<void>;
}

export interface Asked {
  method: string;
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

export async function startSimulator(answer: (request: Asked) => Reply): Promise<Simulator> {
  const requests: Asked[] = [];
  let failureStatus: number | null = null;
  const server = createServer(async (request, reply) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const { 'content-type': type = '', cookie: cookies = '' } = request.headers;
    const receivedRequest = { method: request.method ?? '', path: pathname, query: searchParams, type, cookies, body: await text(request) };
    requests.push(receivedRequest);
    const {
      status = 200,
      type: contentType = 'text/plain',
      body = '',
    } = failureStatus === null ? answer(receivedRequest) : { status: failureStatus };
    reply.writeHead(status, { 'content-type': contentType, 'access-control-allow-origin': '*', 'cache-control': 'no-store' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    asked: requests,
    breakWith: (status) => {
      failureStatus = status;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
