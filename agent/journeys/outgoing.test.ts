import { mkdtemp, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { noUnlistedPolicy, type UnlistedPolicy } from '@porchlight/contract/unlisted-protection.ts';
import type { ProgramSeen } from '@porchlight/definitions/format.ts';
import { expect, it, onTestFinished } from 'vitest';
import { type FakeOs, fakeOs } from '../os/fake/fake.ts';
import { linux } from '../os/linux/linux.ts';
import { computer } from '../os/linux/origin/trial-computer.ts';
import { argumentsOf } from '../os/origin.ts';
import { agentForTest, ended, linked, serverForTest } from '../testing/agent.ts';
import { sitesWithoutSystem } from '../testing/dns-command.ts';
import { idler, run, runningFrom } from '../testing/programs.ts';
import type { TestServer } from '../testing/server.ts';
import { until } from '../testing/until.ts';

const microsoft = { company: 'Microsoft Corporation', signer: 'Microsoft Windows' };
const mstsc = { name: 'mstsc.exe', original_name: 'mstsc.exe', ...microsoft };
const vncViewer = { name: 'vncviewer.exe', original_name: 'vncviewer.exe', company: 'RealVNC Ltd', signer: 'RealVNC Ltd' };
const quickAssist = { name: 'quickassist.exe', original_name: 'quickassist.exe', ...microsoft };

const start = (os: FakeOs, program: Omit<ProgramSeen, 'os'>, line: string, path = `C:\\Windows\\System32\\${program.name}`) =>
  os.start({
    ...{ name: program.name, path, program: { os: 'windows', ...program } },
    command: { line: `${program.name} ${line}`, args: argumentsOf(`${program.name} ${line}`), parents: ['explorer.exe'], pipeline: [] },
  });
const runs = (os: FakeOs, { pid }: { pid: number }) => [...os.running].some((one) => one.pid === pid);
const reported = (server: TestServer) => [...server.detections.values()];

const set = async (server: TestServer, unlisted: Partial<UnlistedPolicy>, lock = false) => {
  server.setPolicy({ unlisted: { ...noUnlistedPolicy, ...unlisted }, lock });
  await until('the policy', () => server.policy_in_force === server.policy.version);
};

it('[P15.3] Remote Desktop Connection and a VNC viewer run and report nothing, also after a new policy, while Quick Assist ends', async () => {
  const { server, test } = await linked();
  const { os } = test;
  const clients = [
    start(os, mstsc, '/v:office.example.com'),
    start(os, mstsc, 'C:\\Users\\Ann\\Documents\\office.rdp'),
    start(os, vncViewer, 'office::5900'),
  ];
  const helper = start(os, quickAssist, '');
  await ended(test, helper);
  await set(server, {});
  await until('the report', () => reported(server).length === 1);
  expect(reported(server)).toMatchObject([{ identifier: 'quick-assist', blocked: true }]);
  expect(clients.map((one) => runs(os, one))).toEqual([true, true, true]);
  expect(os.opened).toHaveLength(1);
});

it('[P15.3] a viewer that listens and clients that open a file somebody sent end as before, while another one goes on', async () => {
  const { server, test } = await linked();
  const { os } = test;
  const sentFile = 'C:\\Users\\Ann\\Documents\\invoice.rdp';
  os.launched.set(sentFile, { file: sentFile, id: '7', origin: { from: 'internet', host: 'evil.example' } });
  const other = start(os, mstsc, 'C:\\Users\\Ann\\Documents\\office.rdp');
  for (const [program, line] of [
    [mstsc, `"${sentFile}"`],
    [mstsc, '"C:\\Users\\Ann\\Downloads\\invoice.rdp"'],
    [vncViewer, '-listen'],
  ] as const)
    await ended(test, start(os, program, line));
  await until('the reports', () => reported(server).length === 3);
  const stopped = reported(server).flatMap(({ identifier, blocked }) => (blocked ? [identifier] : []));
  expect(stopped.toSorted()).toEqual(['realvnc', 'remote-desktop-connection', 'remote-desktop-connection']);
  expect(runs(os, other)).toBe(true);
});

it('[P15.3] a client whose command line cannot be read ends as before, a client that has ended meanwhile reports nothing, and clients on a Mac are decided in the same way', async () => {
  const { server, test } = await linked();
  const { os } = test;
  const unreadable = { ...mstsc, os: 'windows' as const };
  await ended(test, os.start({ name: 'mstsc.exe', path: 'C:\\Windows\\System32\\mstsc.exe', program: unreadable }));
  const viewer = { os: 'macos' as const, name: 'vncviewer', bundle_id: 'com.realvnc.vncviewer' };
  const onMac = (args: string[]) =>
    os.start({
      ...{ name: 'vncviewer', path: '/Applications/VNC Viewer.app/Contents/MacOS/vncviewer', program: viewer },
      command: { line: '', args, parents: [], pipeline: [] },
    });
  const office = onMac(['office:1']);
  await ended(test, onMac(['-listen']));
  const wasRunning = os.isRunning;
  os.isRunning = (process) => process.pid !== 77 && wasRunning(process);
  os.start({ pid: 77, name: 'mstsc.exe', path: 'C:\\Windows\\System32\\mstsc.exe', program: unreadable });
  await ended(test, start(os, quickAssist, ''));
  await until('the reports', () => reported(server).length === 3);
  const stopped = reported(server).map(({ identifier }) => identifier);
  expect(stopped.toSorted()).toEqual(['quick-assist', 'realvnc', 'remote-desktop-connection']);
  expect(runs(os, office)).toBe(true);
});

it('[P15.3] in an incident a viewer that was downloaded waits as every new program does, and Remote Desktop Connection runs', async () => {
  const server = await serverForTest();
  const test = await agentForTest(server, { os: fakeOs(), sites: sitesWithoutSystem });
  const { os } = test;
  await test.linked();
  await set(server, { new_programs: 'incident' }, true);
  const path = 'C:\\Users\\Ann\\Downloads\\vncviewer.exe';
  os.launched.set(path, { file: path, id: '9', origin: { from: 'internet', host: 'vendor.example' } });
  const [viewer, client] = [start(os, vncViewer, 'office::5900', path), start(os, mstsc, '/v:office')];
  await until('the report', () => reported(server).length === 1);
  expect(reported(server)).toMatchObject([{ category: 'NewProgram', name: 'vncviewer.exe', blocked: true }]);
  expect([os.suspended.has(viewer.pid), os.suspended.has(client.pid)]).toEqual([true, false]);
});

it('[P15.3] on a real Linux a VNC viewer runs, and ends when it listens or opens a file of the download folder', async () => {
  // Files of a temporary folder count as sent.
  const folder = await mkdtemp(join(homedir(), 'porchlight-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const [server, people] = [await serverForTest(), await computer(folder)];
  const origin = await people.start();
  const test = await agentForTest(server, {
    os: { ...linux({ PATH: process.env.PATH }), origin: async () => origin, openWindow: () => true },
  });
  await test.linked();
  // A shell that waits, whatever its arguments are.
  const viewer = await idler('xtigervncviewer', '/bin/sh');
  const started = (...args: string[]) => run(viewer, ['-c', 'while :; do sleep 1; done', ...args]);
  const running = () => runningFrom(viewer).map(({ pid }) => pid);
  const [office, saved] = [started('office:1'), started(people.text('bin/office.tigervnc', ''))];
  const listening = started('-listen');
  await until('the one that listens to end', () => !running().includes(listening.pid));
  const downloaded = started(people.text('Downloads/office.tigervnc', ''));
  await until('the one with the downloaded file to end', () => !running().includes(downloaded.pid));
  await until('the reports', () => reported(server).length === 2);
  expect(reported(server)).toMatchObject([
    { identifier: 'tigervnc', blocked: true },
    { identifier: 'tigervnc', blocked: true },
  ]);
  expect(running().toSorted()).toEqual([office.pid, saved.pid].toSorted());
});
