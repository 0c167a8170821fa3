import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type TwilioReply = (reply: ServerResponse) => void;

interface SeenRequest {
  line: string;
  authorization: string | undefined;
  type: string | undefined;
  /** The form's fields in their order. */
  fields: [string, string][];
}

/** Stores what it is asked, and answers each request with `answer`: for faults that the simulator does not have. */
export async function openFakeTwilio(answer: TwilioReply) {
  const requests: SeenRequest[] = [];
  const server = createServer((request: IncomingMessage, reply) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      const { authorization, 'content-type': type } = request.headers;
      requests.push({ line: `${request.method} ${request.url}`, authorization, type, fields: [...new URLSearchParams(body)] });
      answer(reply);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    api_base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen: requests,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

export const answering =
  (status: number, body: object | string): TwilioReply =>
  (reply) => {
    reply.writeHead(status, { 'content-type': 'application/json' }).end(typeof body === 'string' ? body : JSON.stringify(body));
  };
