import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { skipTest } from '../../testing/left-out.ts';
import { openedAddresses } from './viewers.ts';

const requestScript = "require('node:http').get(process.argv[1], (answer) => process.exit(answer.statusCode === 200 ? 0 : 3))";

test('A12: a window address works only for the user it was shown to, not for another user who read it from a command line', async (context) => {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) skipTest(context, 'only root can connect as somebody else.');
  const viewers = openedAddresses();
  const server = createServer(async (request, response) => {
    const { remotePort = 0, localPort = 0 } = request.socket;
    const isTheirs = await viewers.mayOpen(String(request.url), { from: remotePort, to: localPort });
    response.writeHead(isTheirs ? 200 : 403).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const canOpen = async (path: string, uid: number) => {
    const child = spawn(process.execPath, ['-e', requestScript, `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`], {
      uid,
      gid: uid,
    });
    return (await new Promise((resolve) => child.once('exit', resolve))) === 0;
  };
  viewers.add('/ui/?t=x', 65_534);
  expect([await canOpen('/ui/?t=x', 4001), await canOpen('/ui/?t=x', 65_534), await canOpen('/ui/?t=told', 4001)]).toEqual([
    false,
    true,
    true,
  ]);
});
