import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { hour, minute } from '@porchlight/contract/time.ts';
import { describe, expect, it } from 'vitest';
import { agentForTest, incidentIsOver, serverForTest, temporaryFolder } from '../testing/agent.ts';
import { advanceTime, browserOf, connect } from '../testing/browser.ts';
import { expectLocked, four, linkedWithCodes, passed, pinPauses, restarted, stopAnyDesk } from '../testing/locks.ts';
import { testPin } from '../testing/server.ts';
import { until } from '../testing/until.ts';

describe('[P10.5] the lock', () => {
  it('while the policy says that an incident is open, the PIN alone does none of the four, also without a server', async () => {
    const { server, test } = await linkedWithCodes();
    server.setPolicy({ lock: true });
    await until('the policy', () => server.policy_in_force === server.policy.version);
    await expectLocked(test);
    await server.down();
    await expectLocked(test, ['pause', 'uninstall', 'restore']);
    expect(server.events).toEqual([]);
  });

  it('without an incident the PIN is enough, with the server away too', async () => {
    const { server, test } = await linkedWithCodes();
    await server.down();
    advanceTime(test, 30 * hour);
    expect(await pinPauses(test)).toContain(passed.pause);
    expect(await four.uninstall(test, await browserOf(test), testPin)).toBe(passed.uninstall);
  });

  it('the server’s word that it is over ends it at once', async () => {
    const { server, test } = await linkedWithCodes();
    server.setPolicy({ lock: true });
    await until('the policy', () => server.policy_in_force === server.policy.version);
    await expectLocked(test, ['pause']);
    await incidentIsOver(server, test);
    expect(await pinPauses(test)).toContain(passed.pause);
  });

  it('an incident of the stored policy ends after 24 hours of running time without a server, not by a clock that was set ahead', async () => {
    const { server, test } = await linkedWithCodes();
    server.setPolicy({ lock: true });
    await until('the policy', () => server.policy_in_force === server.policy.version);
    await server.down();
    test.clock.now = new Date(test.clock.now.getTime() + 90 * 24 * hour);
    await expectLocked(test, ['pause', 'uninstall', 'restore']);
    test.clock.up += 24 * hour - minute;
    await expectLocked(test, ['pause']);
    test.clock.up += minute + 1000;
    expect(await pinPauses(test)).toContain(passed.pause);
  });

  it('a program that was ended without a server locks for 60 minutes of running time, over a restart and a new boot', async () => {
    const { server, test } = await linkedWithCodes();
    await server.down();
    expect(await four.uninstall(test, await browserOf(test), testPin)).toBe(passed.uninstall);
    await stopAnyDesk(test);
    await expectLocked(test, ['pause', 'uninstall', 'restore']);
    const again = await restarted(server, test);
    await expectLocked(again, ['pause', 'uninstall', 'restore']);
    again.clock.up += 58 * minute;
    await expectLocked(again, ['pause']);
    again.clock.up += 2 * minute + 1000;
    expect(await pinPauses(again)).toContain(passed.pause);
  });

  it('a program that starts again and again without a server locks for 24 hours in all, not longer', async () => {
    const { server, test } = await linkedWithCodes();
    await server.down();
    await stopAnyDesk(test);
    for (let hours = 0; hours < 23; hours++) {
      test.clock.up += 59 * minute;
      await stopAnyDesk(test);
    }
    await expectLocked(test, ['pause']);
    test.clock.up += 83 * minute + 1000;
    expect(await pinPauses(test)).toContain(passed.pause);
  });

  it('with the server there, its word after the report decides, and an earlier answer does not', async () => {
    const { server, test } = await linkedWithCodes();
    const { version } = server.policy;
    server.mood = 'failing';
    await stopAnyDesk(test);
    await expectLocked(test, ['pause']);
    // Somebody repeats an answer that the server signed before.
    server.setPolicy({ issued: '2026-01-02T00:00:00.000Z', version: version + 5 });
    server.mood = 'well';
    test.agent.showWindow();
    await until('the reports', () => server.detections.size === 1);
    await until('the policy', () => server.policy_in_force === version + 5);
    await expectLocked(test, ['pause']);
    server.setPolicy({ issued: new Date().toISOString() });
    await until('the policy', () => server.policy_in_force === server.policy.version);
    expect(await pinPauses(test)).toContain(passed.pause);
  });

  it('an agent that was killed before it stored the lock finds the unreported end at its next start', async () => {
    const { server, test } = await linkedWithCodes();
    await server.down();
    const before = await test.store.lockState(server.device);
    if (!before || before === 'lost') throw new Error('there is a state');
    await stopAnyDesk(test);
    await test.close();
    await test.store.setLockState(before);
    const again = await agentForTest(server, { os: test.os, folder: test.folder, clock: test.clock });
    await expectLocked(again, ['pause', 'uninstall']);
  });

  it('a deleted file counts as locked for 24 hours, or until the server’s word', async () => {
    const { server, test } = await linkedWithCodes();
    await server.down();
    await test.close();
    for (const name of await readdir(test.folder)) if (name.startsWith('lock.json')) await rm(join(test.folder, name));
    const again = await agentForTest(server, { os: test.os, folder: test.folder, clock: test.clock });
    await expectLocked(again, ['pause', 'uninstall']);
    again.clock.up += 24 * hour + 1000;
    expect(await four.uninstall(again, await browserOf(again), testPin)).toBe(passed.uninstall);
    await rm(join(test.folder, 'lock.json'));
    await rm(join(test.folder, 'lock.json.copy'));
    const third = await restarted(server, again);
    await expectLocked(third, ['pause']);
    await server.listen();
    const fourth = await restarted(server, third);
    await until('the PIN to be enough', async () => (await pinPauses(fourth)).includes(passed.pause));
  });
});

describe('[P10.5] a deleted state folder', () => {
  it('the computer stays in its account, and counts as locked until the server’s word or for 24 hours', async () => {
    const [server, backupFolder] = [await serverForTest(), join(await temporaryFolder(), 'link')];
    const test = await agentForTest(server, { backupFolder });
    await test.linked();
    await server.down();
    await test.close();
    const reopened = async (folder: string, clock = test.clock) => agentForTest(server, { os: test.os, folder, backupFolder, clock });
    const again = await reopened(await temporaryFolder());
    expect((await again.store.identity())?.device.uuid).toBe(server.device);
    await expectLocked(again, ['pause', 'uninstall', 'restore']);
    await again.close();
    await server.listen();
    const third = await reopened(await temporaryFolder());
    await until('the policy', async () => (await third.store.policy()) !== null);
    expect(server.enrolled).toHaveLength(1);
    // The count of wrong PINs was deleted too, which locks PIN entry for a day (A12).
    await until('the lock to be over', async () => (await pinPauses(third)).includes('Too many wrong PINs'));
    third.clock.up += 24 * hour + 1000;
    expect(await pinPauses(third)).toContain(passed.pause);
  });

  it('after a decision to leave, or an uninstall, nothing is restored from the copy', async () => {
    const [server, backupFolder] = [await serverForTest(), join(await temporaryFolder(), 'link')];
    const test = await agentForTest(server, { backupFolder, freeAgent: true });
    await connect(test, 'ABCD-EFGH');
    expect(await readdir(backupFolder)).toEqual(['link.json']);
    expect((await (await browserOf(test)).press('undo')).text).toContain('Undone.');
    await test.close();
    expect(await readdir(backupFolder)).toEqual([]);
    const again = await agentForTest(server, { folder: await temporaryFolder(), backupFolder });
    expect(await again.store.identity()).toBeNull();
    expect(await four.uninstall(again, await browserOf(again), '')).toBe(passed.uninstall);
  });
});

it('a server whose clock went back is asked for its word once in ten seconds, not in a busy loop', async () => {
  const { server, test } = await linkedWithCodes();
  await stopAnyDesk(test);
  await until('the report', () => server.detections.size === 1);
  server.setPolicy({ issued: '2026-01-02T00:00:00.000Z' });
  await until('the policy', () => server.policy_in_force === server.policy.version);
  // The fetch that asks for the word is followed by polls that wait, shorter ones while there is none.
  await until('a short poll', () => server.waits.at(-1) === serverLimits.agent_wait_seconds);
  const fetches = server.calls.filter((call) => call === 'GET /agent/policy').length;
  expect(fetches).toBeLessThan(6);
  await expectLocked(test, ['pause']);
});
