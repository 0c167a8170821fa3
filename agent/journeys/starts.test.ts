import { hour } from '@porchlight/contract/time.ts';
import { expect, it } from 'vitest';
import { linux } from '../os/linux/linux.ts';
import { starts } from '../protection/start.ts';
import { agentForTest, ended, linked, serverForTest } from '../testing/agent.ts';
import { fakeSystem } from '../testing/fake-os.ts';
import { idler, run, runningFrom } from '../testing/programs.ts';
import { until } from '../testing/until.ts';

it('[P9.1] the agent reports whether a person or a service started a program', async () => {
  const { server, test } = await linked();
  test.os.startedByPath.set('/opt/anydesk', 'service_manager').set('/opt/new/anydesk', 'service_manager');
  test.os.filesChanged.set('/opt/anydesk', test.clock.now.getTime() - hour);
  test.os.filesChanged.set('/opt/new/anydesk', test.clock.now.getTime() + 1);
  test.os.filesChanged.set('/opt/old/anydesk', test.clock.now.getTime() - hour);
  const startOf = async (path: string) => {
    const before = server.sent.length;
    await ended(test, test.os.start({ name: 'anydesk', path }));
    await until('the report', () => server.sent.length > before);
    expect(server.sent.at(-1)).toMatchObject({ details: path });
    return server.sent.at(-1)?.start;
  };
  expect(await startOf('/opt/anydesk')).toBe('system');
  // A service starts a program that came after the agent.
  expect(await startOf('/opt/new/anydesk')).toBe('person');
  // A person starts a program that was there before.
  expect(await startOf('/opt/old/anydesk')).toBe('person');

  // A program that lowers the clock could make new files older.
  const now = test.clock.now;
  test.clock.now = new Date(now.getTime() - hour);
  test.os.start({ name: 'date' });
  test.clock.now = now;
  expect(await startOf('/opt/anydesk')).toBe('person');
});

it('[P9.1] only a program that ran when the agent was first started counts as already running', async () => {
  const [server, os] = [await serverForTest(), fakeSystem()];
  for (const path of ['/opt/a/anydesk', '/opt/b/anydesk']) os.filesChanged.set(path, Date.now() - hour);
  os.start({ name: 'anydesk', path: '/opt/a/anydesk' });
  const test = await agentForTest(server, { os });
  os.start({ name: 'anydesk', path: '/opt/b/anydesk' });
  await test.linked();
  await until('the reports', () => server.sent.length === 2);
  expect(Object.fromEntries(server.sent.map(({ details, start }) => [details, start]))).toEqual({
    '/opt/a/anydesk': 'system',
    '/opt/b/anydesk': 'person',
  });

  await test.close();
  os.start({ name: 'anydesk', path: '/opt/a/anydesk' });
  await agentForTest(server, { os, folder: test.folder, clock: test.clock });
  await until('the report after the restart', () => server.sent.length === 3);
  expect(server.sent.at(-1)).toMatchObject({ details: '/opt/a/anydesk', start: 'person' });
});

it('[P9.1] on Linux a program that a shell started was started by a person, even when its file was there before the agent', async () => {
  const os = linux({ PATH: process.env.PATH });
  const firstStart = { before: () => Date.now() + hour, isNow: false, checkClock: () => {} };
  const { startOf } = starts({ os, firstStart, now: () => new Date() });
  const file = await idler('AnyDesk-like');
  run('/bin/sh', ['-c', `${file} 60 & wait`]);
  const program = await until('the program', () => runningFrom(file)[0]);
  expect(os.fileChanged(program)).toBeLessThan(firstStart.before());
  expect(startOf(program)).toBe('person');
  // Only what started it decides.
  expect(starts({ os: { ...os, startedBy: () => 'scheduler' }, firstStart, now: () => new Date() }).startOf(program)).toBe('system');
});
