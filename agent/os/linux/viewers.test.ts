import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { leaveOut } from '../../testing/left-out.ts';
import { viewersOf } from './viewers.ts';

const ask = "require('node:http').get(process.argv[1], (answer) => process.exit(answer.statusCode === 200 ? 0 : 3))";

test('A12: a window address works only for the user it was shown to, not for one who read it from a command line', async (context) => {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) leaveOut(context, 'only root can connect as somebody else.');
  const viewers = viewersOf();
  const server = createServer(async (request, response) => {
    const { remotePort = 0, localPort = 0 } = request.socket;
    const theirs = await viewers.isTheirs(String(request.url), { from: remotePort, to: localPort });
    response.writeHead(theirs ? 200 : 403).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const opens = async (path: string, uid: number) => {
    const child = spawn(process.execPath, ['-e', ask, `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`], {
      uid,
      gid: uid,
    });
    return (await new Promise((resolve) => child.once('exit', resolve))) === 0;
  };
  viewers.add('/ui/?t=x', 65_534);
  expect([await opens('/ui/?t=x', 4001), await opens('/ui/?t=x', 65_534), await opens('/ui/?t=told', 4001)]).toEqual([false, true, true]);
});
