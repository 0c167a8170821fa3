import { createServer, type Server } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { whyNoMailServer } from './try-smtp.ts';

let server: Server | undefined;
afterEach(() => server?.close());

async function listening(): Promise<number> {
  const smtp = createServer((line) => {
    line.write('220 here\r\n');
    line.on('data', (received: Buffer) => line.write(answers.find(([pattern]) => pattern.test(String(received)))?.[1] ?? '221 bye\r\n'));
  });
  server = smtp;
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve));
  return (smtp.address() as { port: number }).port;
}
const answers: [RegExp, string][] = [
  [/^EHLO/, '250-here\r\n250 AUTH PLAIN\r\n'],
  [/^AUTH/, '535 5.7.8 no\r\n'],
];

test('there is no warning about a mail server that accepts mail', async () => {
  expect(await whyNoMailServer(`smtp://127.0.0.1:${await listening()}`)).toBeNull();
});

test('the warning about a mail server that refuses the user names the server, without the password', async () => {
  const port = await listening();
  expect(await whyNoMailServer(`smtp://me:hidden@127.0.0.1:${port}`)).toBe(
    `The mail server of SMTP_URL (127.0.0.1:${port}) does not accept the user or the password in it. Correct SMTP_URL. Until then emails wait.`,
  );
});

test('the warning about an unreachable mail server names the server', async () => {
  const port = await listening();
  await new Promise((resolve) => server?.close(resolve));
  expect(await whyNoMailServer(`smtp://me:hidden@127.0.0.1:${port}`)).toBe(
    `No mail server answers at SMTP_URL (127.0.0.1:${port}: connect ECONNREFUSED 127.0.0.1:${port}). Check that it is running and that the address is right. Until then emails wait.`,
  );
});
