import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { agentForTest, ended, onDisk, serverForTest, wordOfServer } from '../testing/agent.ts';
import { type Browser, browserAt, browserOf } from '../testing/browser.ts';
import { type Run, runAgent } from '../testing/process.ts';
import { idler, run } from '../testing/programs.ts';
import { type TestServer, testPin } from '../testing/server.ts';
import { type SmallDisk, smallDisk, smallDiskPossible } from '../testing/small-disk.ts';
import { until } from '../testing/until.ts';
import { messages } from '../ui/messages/messages.ts';

const protects = messages.terminal.watching('Laptop');
const pause = (browser: Browser) => browser.press('pause', { minutes: '60', pin: testPin, understood: 'yes' });

function agent(server: TestServer, { inside }: SmallDisk, args: string[] = []): Run {
  const started = runAgent(server, inside.folder, args, '', inside.command);
  onTestFinished(() => void started.child.kill('SIGKILL'));
  return started;
}

async function onFullDisk(pages = 0) {
  const [server, disk] = [await serverForTest(), await smallDisk()];
  const test = await agentForTest(server, { folder: disk.folder });
  await test.linked();
  const browser = await browserOf(test);
  await browser.press('pause', { minutes: '1', pin: '000000', understood: 'yes' });
  await disk.fill(pages);
  return { server, disk, test, browser };
}

describe.skipIf(!smallDiskPossible)('on a full disk', () => {
  it('[P4.4] [P4.6] an agent killed on a full disk restarts unpaused, ends listed programs, shows the calm screen and reports', async () => {
    const [server, disk] = [await serverForTest(), await smallDisk()];
    const name = `AnyDesk-${randomUUID()}`;
    const anydeskDefinitions = server.definitions.definitions.filter(({ identifier }) => identifier === 'anydesk');
    server.setDefinitions({
      definitions: anydeskDefinitions.map((d) => ({ ...d, programs: { ...d.programs, names: [{ os: 'linux' as const, name }] } })),
    });
    const firstAgent = agent(server, disk, ['--code', 'ABCD-EFGH']);
    await firstAgent.printed(protects);
    await disk.fill();
    firstAgent.child.kill('SIGKILL');
    await firstAgent.ended;

    const secondAgent = agent(server, disk);
    await secondAgent.printed(protects);
    expect(secondAgent.child.exitCode).toBeNull();
    const file = await idler(name);
    const ending = async () => {
      const program = run(file, ['60']);
      await until('the end', () => program.signalCode === 'SIGKILL');
    };
    await ending();
    const url = await until('the calm screen', () => /See what happened: (\S+)/.exec(secondAgent.output())?.[1]);
    const browser = await browserAt(url);
    expect(await browser.page()).toContain('We stopped what looks like AnyDesk');
    await until('the detection', () => server.detections.size === 1);
    expect([...server.detections.values()]).toMatchObject([{ identifier: 'anydesk', blocked: true, details: file }]);

    disk.empty();
    // As long as the PIN alone is not enough the agent does not even try to write, so the disk would not matter.
    await until('the PIN to be enough', async () => {
      // The agent names its next policy only after it has written what changed with that.
      await wordOfServer(server);
      return (await browser.page('pause')).includes(messages.pin.where);
    });
    await disk.fill();
    expect((await pause(browser)).text).toContain(messages.notWritten);
    await ending();
    await until('the next detection', () => server.detections.size === 2);
    expect(server.sent).toHaveLength(2);
    secondAgent.child.kill('SIGTERM');
    expect(await secondAgent.ended).toBe(0);
  });

  it('[P4.5] a detection made offline on a full disk is stored once there is room, and reported once', async () => {
    const { server, disk, test, browser } = await onFullDisk();
    await server.down();
    await ended(test, test.os.start({ name: 'anydesk' }));
    await until('the calm screen', async () => (await browser.page()).includes('We stopped'));
    const unwritten = test.logLines.filter((line) => line.includes('could not be saved')).map((line) => line.split(' could not')[0]);
    expect(unwritten.toSorted()).toEqual(['A detection', 'That the PIN alone is not enough']);
    expect(await onDisk(test)).toEqual([]);
    disk.empty();
    // A new detection makes the agent retry at once, instead of after a minute.
    await ended(test, test.os.start({ name: 'anydesk' }));
    await until('both on the disk', async () => (await onDisk(test)).length === 2);
    await test.close();
    await server.listen();
    const restartedAgent = await agentForTest(server, { os: test.os, folder: test.folder, clock: test.clock });
    await until('both', () => server.sent.length >= 2);
    await until('the disk to be empty', async () => (await onDisk(restartedAgent)).length === 0);
    expect(new Set(server.sent.map(({ uuid }) => uuid)).size).toBe(2);
    expect(server.sent).toHaveLength(2);
    expect(await readdir(join(test.folder, 'begun'))).toEqual([]);
  });

  it.each([0, 1, 2])(
    '[P4.6] a pause that cannot be stored and reported does not begin, now or after a restart (%i pages free)',
    async (pages) => {
      const { server, disk, test, browser } = await onFullDisk(pages);
      expect((await pause(browser)).text).toContain(messages.notWritten);
      expect(await browser.page()).not.toContain(messages.pause.now);
      await ended(test, test.os.start({ name: 'anydesk' }));
      expect(await test.store.pause()).toBeNull();
      await test.close();
      await disk.fill();
      const restartedAgent = await agentForTest(server, { os: test.os, folder: test.folder, clock: test.clock });
      await ended(restartedAgent, restartedAgent.os.start({ name: 'anydesk' }));
      expect(existsSync(join(test.folder, 'pause.json'))).toBe(false);
      expect(server.events).toEqual([]);
    },
  );

  it('[P4.5] a kill interrupted by the agent’s death is reported once', async () => {
    const { server, disk, test } = await onFullDisk();
    await test.close();
    disk.empty();
    const detection = { uuid: randomUUID(), time: '2026-03-03T14:05:00.000Z', name: 'AnyDesk', identifier: 'anydesk' };
    const detectionDetails = { category: 'RemoteControl', details: '/tmp/anydesk', blocked: true, certainty: 'certain' } as const;
    const evidence = { why: '', start: 'person' } as const;
    test.store.recordKill({ pid: 4711, started: '99' }, { ...detection, ...detectionDetails, ...evidence });
    await disk.fill();
    for (const sentences of [1, 0]) {
      const restartedAgent = await agentForTest(server, { os: test.os, folder: test.folder, clock: test.clock });
      expect(restartedAgent.logLines.filter((line) => line.startsWith('What was being stopped could not be saved'))).toHaveLength(
        sentences,
      );
      await until('the report', async () => server.sent.length === 1 && (await readdir(join(test.folder, 'begun'))).length === 0);
      await restartedAgent.close();
    }
    expect([...server.detections.keys()]).toEqual([detection.uuid]);
  });

  it('a pause on a full disk ends when the user resumes, and the window says what could not be stored', async () => {
    const { server, disk, test, browser } = await onFullDisk();
    disk.empty();
    await pause(browser);
    await disk.fill();
    const program = test.os.start({ name: 'anydesk' });
    expect((await browser.press('resume')).text).not.toContain('ENOSPC');
    await ended(test, program);
    await until('the calm screen', async () => (await browser.page()).includes('We stopped'));
    // The reported entries are deleted, which frees space, so the disk is filled again once the last of them is gone.
    await until('the reports', async () => server.sent.length === 1 && (await test.store.pendingEvents()).length === 0);
    await until('the reported ones to be gone', async () => (await onDisk(test)).length === 0);
    await disk.fill();
    expect((await browser.press('ask')).text).toContain(messages.notWritten);
  });

  it('a pause and a PIN lock that have begun continue on a full disk', async () => {
    const [server, disk] = [await serverForTest(), await smallDisk()];
    const test = await agentForTest(server, { folder: disk.folder });
    await test.linked();
    await pause(await browserOf(test));
    await test.close();
    const clock = { now: test.clock.now, up: 20_000, boot: 'second' };
    const reading = { wall: clock.now.getTime(), up: clock.up };
    const lock = { ends: reading.wall + 1e6, up_ends: reading.up + 1e6, boot: 'first', seen_wall: reading.wall, seen_up: reading.up };
    await test.store.setPinTries({ wrong: 0, locks: 1, lock });
    await disk.fill();
    const restartedAgent = await agentForTest(server, { os: test.os, folder: test.folder, clock });
    expect(await (await browserOf(restartedAgent)).page()).toContain(messages.pause.now);
    const unwrittenLines = restartedAgent.logLines.filter((line) => line.includes('could not be saved'));
    // The last line is about the time in which the link can be undone.
    expect(unwrittenLines.map((line) => line.split(' could not')[0])).toEqual([
      'What is left of a pause',
      'How long no PIN is taken',
      'Whose computer this is',
    ]);
    clock.now = new Date(clock.now.getTime() + 3_600_000);
    clock.up += 3_600_000;
    await ended(restartedAgent, restartedAgent.os.start({ name: 'anydesk' }));
  });
});
