import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Agent, startAgent } from '../agent.ts';
import { type FakeOs, fakeOs } from '../os/fake/fake.ts';
import { openStore, type Store } from '../state/store.ts';
import { code, type TestServer, testServer, until } from './server.ts';

export interface AgentWorld {
  agent: Agent;
  os: FakeOs;
  server: TestServer;
  store: Store;
  folder: string;
  said: string[];
  clock: { turn(ms: number): void };
  /** Links by the typed code, and waits until policy and definitions are in force. */
  link(): Promise<void>;
  close(): Promise<void>;
}

/** A whole agent on a fake operating system, against a server that speaks the contract. */
export async function agentWorld(): Promise<AgentWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'porchlight-agent-'));
  const [os, server, store] = [fakeOs(), await testServer(), await openStore(folder)];
  const said: string[] = [];
  let turned = 0;
  const agent = await startAgent({
    os,
    store,
    server: server.url,
    version: '1.0.0-test',
    loopback_port: 0,
    now: () => new Date(Date.now() + turned),
    random: () => 0,
    log: (sentence) => said.push(sentence),
  });
  return {
    agent,
    os,
    server,
    store,
    folder,
    said,
    clock: { turn: (ms) => void (turned += ms) },
    async link() {
      await agent.link.byCode(code);
      await until(
        'policy and definitions to be in force',
        async () => (await store.policy()) !== null && (await store.definitions()) !== null,
      );
    },
    async close() {
      await agent.close();
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
