import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface ListServer {
  url: string;
  answer: (response: ServerResponse) => void;
  asked: IncomingHttpHeaders[];
  has(list: string, headers?: Record<string, string>): void;
}

/** A local server of site lists, closed after the test. */
export async function listServer(list = ''): Promise<ListServer> {
  const http = createServer((request, response) => {
    server.asked.push(request.headers);
    server.answer(response);
  });
  const server: ListServer = {
    url: '',
    asked: [],
    answer: (response) => void response.end(list),
    has(text, headers = {}) {
      server.answer = (response) => void response.writeHead(200, { 'content-type': 'text/plain', ...headers }).end(text);
    },
  };
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  server.url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/list.txt`;
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  return server;
}
