import { type AddressInfo, createServer, type Socket } from 'node:net';

/** What it says to a line; null to cut the line, undefined to say nothing. `connection` is the same for one connection. */
export type SmtpAnswer = (line: string, connection: object) => string | null | undefined;

/** A mail server that answers as told. `greeting`: its first word on every connection. */
export async function rudeSmtp(answer: SmtpAnswer, greeting = () => '220 test'): Promise<{ url: string; close(): void }> {
  const sockets = new Set<Socket>();
  const listening = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.write(`${greeting()}\r\n`);
    socket.on('data', (data) => {
      for (const line of data.toString().split('\r\n').filter(Boolean)) {
        const said = answer(line, socket);
        if (said === null) socket.destroy();
        else if (said) socket.write(`${said}\r\n`);
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

export const polite = (line: string): string | undefined => {
  if (/^(EHLO|HELO|MAIL|RCPT|RSET)/.test(line)) return '250 ok';
  if (line === 'DATA') return '354 go on';
  return line === '.' ? '250 taken' : undefined;
};
