import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Agent, type AgentDeps, startAgent } from '../agent.ts';
import { type FakeOs, fakeOs } from '../os/fake/fake.ts';
import { openStore, type Store } from '../state/store.ts';
import { messages } from '../ui/messages/messages.ts';
import { type TestServer, testServer } from './server.ts';
import { until } from './until.ts';

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'porchlight-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export async function serverForTest(keysIssued = new Date()): Promise<TestServer> {
  const server = await testServer(keysIssued);
  onTestFinished(() => server.close());
  return server;
}

export interface TestAgent {
  agent: Agent;
  os: FakeOs;
  store: Store;
  folder: string;
  logLines: string[];
  /** `up`: milliseconds since boot. Tests change each field; another `boot` simulates a reboot. */
  clock: { now: Date; up: number; boot: string };
  linked(): Promise<void>;
  status(): Promise<{ status: number; body: unknown }>;
  close(): Promise<void>;
}

/** Starts the whole agent on a fake operating system; it is closed after the test. */
export async function agentForTest(
  server: TestServer,
  overrides: Partial<AgentDeps> & { folder?: string; backupFolder?: string; clock?: TestAgent['clock'] } = {},
): Promise<TestAgent> {
  const folder = overrides.folder ?? (await temporaryFolder());
  const os = fakeOs();
  const logLines: string[] = [];
  const onRejected = (name: string) => void logLines.push(messages.terminal.damaged(name));
  const store = await openStore(folder, onRejected, overrides.backupFolder);
  const clock = overrides.clock ?? { now: new Date(), up: 1_000_000, boot: 'first' };
  const agent = await startAgent({
    os,
    store,
    server: server.url,
    version: '1.2.3',
    quarantineFolder: null,
    freeAgent: false,
    loopback_port: 0,
    sites: null,
    now: () => clock.now,
    readClock: () => ({ wall: clock.now.getTime(), up: clock.up, boot: clock.boot }),
    random: () => 0,
    log: (sentence) => void logLines.push(sentence),
    ...overrides,
  });
  let open = true;
  const close = async () => {
    if (open) await agent.close();
    open = false;
  };
  onTestFinished(close);
  return {
    agent,
    os: (overrides.os as FakeOs | undefined) ?? os,
    store,
    folder,
    logLines,
    clock,
    close,
    async linked() {
      await agent.link.byCode('ABCD-EFGH');
      await until('policy and definitions', async () => (await store.policy()) && (await store.definitions()));
      // The next poll begins only when the last policy is in force.
      await until('the next poll', () => server.polls() >= 1);
    },
    async status() {
      const answer = await fetch(`http://127.0.0.1:${agent.port}/.well-known/`, { headers: { origin: server.url } });
      return { status: answer.status, body: answer.status === 200 ? await answer.json() : null };
    },
  };
}

export async function linked(os: FakeOs = fakeOs(), overrides: Partial<AgentDeps> = {}): Promise<{ server: TestServer; test: TestAgent }> {
  const server = await serverForTest();
  const test = await agentForTest(server, { os, ...overrides });
  await test.linked();
  return { server, test };
}

/**
 * The server's word that no incident is open: from then on the PIN alone is enough again (P10.5). Twice, since a round that began before the
 * reports were sent proves nothing.
 */
export async function incidentIsOver(server: TestServer, test: TestAgent): Promise<void> {
  await until('the reports', async () => (await onDisk(test)).length === 0);
  await wordOfServer(server);
}

export async function wordOfServer(server: TestServer): Promise<void> {
  for (const _round of [1, 2]) {
    server.setPolicy({ lock: false });
    await until('the policy', () => server.policy_in_force === server.policy.version);
  }
}

export const onDisk = async ({ folder }: TestAgent) => (await readdir(join(folder, 'detections'))).filter((name) => name.endsWith('.json'));
export const ended = (test: TestAgent, process: { pid: number }) =>
  until('the program to be ended', () => [...test.os.running].every(({ pid }) => pid !== process.pid));
