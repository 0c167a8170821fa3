import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPostmaster, stopPostmaster } from '@porchlight/server/db/embedded/postmaster.ts';
import { urlOf } from '@porchlight/server/db/embedded/probe.ts';
import type { Messages } from '@porchlight/simulators/mailbox/entries.ts';
import type { MailboxMail } from '@porchlight/simulators/mailbox/mailbox.ts';
import type { MailboxText } from '@porchlight/simulators/twilio/twilio.ts';
import { type Child, lastMessage } from './child.ts';
import { freePort } from './ports.ts';
import * as programs from './programs.ts';
import { putReadyCluster } from './ready-cluster.ts';
import { answers, until } from './until.ts';

export interface World {
  /** The server's address, without a slash at the end. */
  url: string;
  dashboardUrl: string;
  mailboxUrl: string;
  /** The cookie for the simulator pages, as a header. Call after the server's start. */
  simulatorCookie(): { cookie: string };
  dataDir: string;
  /** Of the running server's database, also of the embedded one. */
  databaseUrl(): Promise<string>;
  startServer(): Promise<void>;
  serverPid(): number;
  stopServer(): Promise<void>;
  /** Returns the exit code; null if the signal ended it at once. */
  killServer(signal?: NodeJS.Signals): Promise<number | null>;
  isServerRunning(): boolean;
  startAgent(args?: string[]): void;
  stopAgent(): Promise<void>;
  killAgent(signal?: NodeJS.Signals): Promise<void>;
  agentOutput(): string;
  mailbox(): Promise<MailboxMail[]>;
  texts(): Promise<MailboxText[]>;
  close(): Promise<void>;
}

/** What the helpers for people need of a running product. */
export type ServerAndMailbox = Pick<World, 'url' | 'mailbox'>;

export interface WorldOptions {
  /** A folder that is not removed at the end; by default a temporary folder. */
  dataDir?: string;
  port?: number;
  env?: NodeJS.ProcessEnv;
  agent?: boolean;
  databaseUrl?: string;
  /** PUBLIC_URL, where several servers share it; by default the server's own address. */
  publicUrl?: string;
  /** See `ServerPlace`. */
  tree?: string;
}

/** Starts the product in separate processes, ignoring the caller's settings. */
export async function startWorld(options: WorldOptions = {}): Promise<World> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'porchlight-world-')));
  // Windows has no `cp`, so there the server creates the database itself.
  if (!options.dataDir && !options.databaseUrl && !options.env?.DATABASE_URL && process.platform !== 'win32')
    await putReadyCluster(dataDir);
  const port = options.port ?? (await freePort());
  const url = `http://localhost:${port}`;
  const inheritedEnv = Object.fromEntries(
    ['PATH', 'HOME', 'TMPDIR', 'LANG', 'SystemRoot', 'TEMP', 'NODE_COMPILE_CACHE'].map((name) => [name, process.env[name]]),
  );
  const database = options.databaseUrl ? { DATABASE_URL: options.databaseUrl } : {};
  // Tests have no internet, and leave the DNS settings of the computer alone; building installers takes minutes.
  const alone = { SITE_LISTS: 'off', AGENT_SYSTEM: 'off', INSTALLERS_BUILD: 'off' };
  const serverPlace = {
    dataDir,
    port,
    publicUrl: options.publicUrl ?? url,
    tree: options.tree,
    env: { ...inheritedEnv, ...alone, ...database, ...options.env },
  };
  let server: Child | null = null;
  let agent: Child | null = null;
  const world: World = {
    url,
    dashboardUrl: `${url}/dashboard`,
    mailboxUrl: `${url}/dev/mailbox`,
    simulatorCookie: () => simulatorCookie(dataDir),
    dataDir,
    async databaseUrl() {
      const url = serverPlace.env.DATABASE_URL;
      if (url) return url;
      const postmaster = await findPostmaster(join(dataDir, 'postgres', 'cluster'));
      if (!postmaster) throw new Error('The database of the world does not run.');
      return urlOf(postmaster.socketFolder);
    },
    async startServer() {
      const started = programs.startServer(serverPlace);
      server = started;
      await until('the server to be ready', async () => {
        if (!started.isRunning()) throw new Error(`The server did not start: ${lastMessage(started.output())}`);
        return answers(`${url}/readyz`);
      });
    },
    serverPid: () => server?.pid ?? 0,
    stopServer: async () => server?.stop(),
    async killServer(signal = 'SIGKILL') {
      server?.kill(signal);
      return (await server?.ended)?.code ?? null;
    },
    isServerRunning: () => server?.isRunning() ?? false,
    startAgent(args) {
      agent = programs.startAgent(serverPlace, args);
    },
    stopAgent: async () => agent?.stop(),
    async killAgent(signal = 'SIGKILL') {
      agent?.kill(signal);
      await agent?.ended;
    },
    agentOutput: () => agent?.output() ?? '',
    mailbox: async () => (await readMailbox(world)).mails,
    texts: async () => (await readMailbox(world)).texts,
    async close() {
      await agent?.stop();
      await server?.stop();
      // A killed server leaves its database running.
      const cluster = join(dataDir, 'postgres', 'cluster');
      const orphanedPostgres = options.databaseUrl ? null : await findPostmaster(cluster);
      if (orphanedPostgres) await stopPostmaster(orphanedPostgres.pid, cluster);
      if (!options.dataDir) await rm(dataDir, { recursive: true, force: true });
    },
  };
  try {
    await world.startServer();
    if (options.agent) world.startAgent();
  } catch (reason) {
    await world.close();
    throw reason;
  }
  return world;
}

const simulatorCookie = (dataDir: string) => ({
  cookie: `simulators_key=${readFileSync(join(dataDir, 'simulators.key'), 'utf8').trim()}`,
});

/** Everything that a server with this data folder has sent, the newest first. */
export async function readMailbox({ url, dataDir }: Pick<World, 'url' | 'dataDir'>): Promise<Messages> {
  const answer = await fetch(`${url}/dev/mailbox.json`, { headers: simulatorCookie(dataDir) });
  if (!answer.ok) throw new Error(`The mailbox answered ${answer.status}.`);
  return (await answer.json()) as Messages;
}
