import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const filter = fileURLToPath(new URL('../dns-filter.ts', import.meta.url));

test('[P4.7] a filter whose agent dies before it has read the answers ends in its own way, after it has restored the DNS settings', async () => {
  const child = fork(filter, [], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'], serialization: 'advanced' });
  onTestFinished(() => void child.kill('SIGKILL'));
  let errors = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (errors += text));
  child.send({ kind: 'ping' });
  await once(child, 'message');
  child.kill('SIGSTOP');
  // They wait in the channel, and are answered before the filter sees that it is closed.
  for (let n = 0; n < 50; n++) child.send({ kind: 'ping' });
  const gone = once(child, 'exit');
  const closed = once(child, 'disconnect');
  child.disconnect();
  await closed;
  child.kill('SIGCONT');
  // SIGKILL is its own last step; an error that nobody handles would end it with 1, and leave the DNS settings as they are.
  expect([await gone, errors]).toEqual([[null, 'SIGKILL'], '']);
});
