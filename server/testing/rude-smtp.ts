import { type AddressInfo, createServer, type Socket } from 'node:net';

/** Null to close the connection, undefined for no reply. `connection`: one object per connection. */
export type SmtpAnswer = (line: string, connection: object) => string | null | undefined;

/** A mail server with scripted replies. `greeting`: the first line on every connection. */
export async function rudeSmtp(answer: SmtpAnswer, greeting = () => '220 test'): Promise<{ url: string; close(): void }> {
  const sockets = new Set<Socket>();
  const listening = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.write(`${greeting()}\r\n`);
    socket.on('data', (data) => {
      for (const line of data.toString().split('\r\n').filter(Boolean)) {
        const reply = answer(line, socket);
        if (reply === null) socket.destroy();
        else if (reply) socket.write(`${reply}\r\n`);
      }
    });
  });
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  return {
    url: `smtp://127.0.0.1:${(listening.address() as AddressInfo).port}`,
    close() {
      for (const socket of sockets) socket.destroy();
      listening.close();
    },
  };
}

export const politeAnswer = (line: string): string | undefined => {
  if (/^(EHLO|HELO|MAIL|RCPT|RSET)/.test(line)) return '250 ok';
  if (line === 'DATA') return '354 go on';
  return line === '.' ? '250 taken' : undefined;
};
