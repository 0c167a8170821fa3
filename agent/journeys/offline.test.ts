import { hour } from '@porchlight/contract/time.ts';
import { expect, it } from 'vitest';
import { agentForTest, ended, linked, onDisk } from '../testing/agent.ts';
import { advanceTime, browserOf } from '../testing/browser.ts';
import { testPin } from '../testing/server.ts';
import { until } from '../testing/until.ts';

it('[P4.5] detections of seven days offline arrive once, oldest first', async () => {
  const { server, test } = await linked();
  await server.down();
  let agent = test;
  const expectedTimes: string[] = [];
  for (let day = 0; day < 7; day++) {
    const stoppedLines = () => agent.logLines.filter((line) => line.includes('AnyDesk')).length;
    for (const [n, time] of [8, 20].entries()) {
      agent.clock.now = new Date(agent.clock.now.getTime() + time * hour);
      agent.clock.up += time * hour;
      expectedTimes.push(agent.clock.now.toISOString());
      await ended(agent, agent.os.start({ name: 'anydesk' }));
      const { length } = expectedTimes;
      await until('the detection on the disk', async () => (await onDisk(agent)).length === length);
      // The lock notes the end before this line, at the earlier time.
      await until('the line in the log', () => stoppedLines() === n + 1);
    }
    // For an hour the PIN alone does not pause.
    advanceTime(agent, hour + 1000);
    const browser = await browserOf(agent);
    await browser.press('pause', { minutes: '1', pin: testPin, understood: 'yes' });
    await browser.press('resume');
    await agent.close();
    const clock = { now: agent.clock.now, up: 20_000, boot: `day ${day}` };
    agent = await agentForTest(server, { os: agent.os, folder: agent.folder, clock });
  }
  await server.listen();
  await until('all of it', () => server.sent.length >= 14 && server.events.length >= 14);
  await until('the disk to be empty', async () => (await onDisk(agent)).length === 0 && (await agent.store.pendingEvents()).length === 0);
  expect(server.sent.map(({ time }) => time)).toEqual(expectedTimes);
  expect(new Set(server.sent.map(({ uuid }) => uuid)).size).toBe(14);
  expect(new Set(server.events.map(({ uuid }) => uuid)).size).toBe(14);
  expect(server.events.map(({ reported }) => reported.kind)).toEqual(Array.from({ length: 7 }, () => ['paused', 'resumed']).flat());
});
