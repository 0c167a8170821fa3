// `npm start`: the whole product on this computer, without settings.
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Config, readConfig } from '@porchlight/server/config.ts';
import { lockFolder } from '@porchlight/server/db/embedded/owner.ts';
import { findPostmaster, stopPostmaster } from '@porchlight/server/db/embedded/postmaster.ts';
import { FolderInUse } from '@porchlight/server/db/embedded/refusals.ts';
import { whyNotStarted } from '@porchlight/server/lib/start-failure.ts';
import { simulatorKeyIn } from '@porchlight/server/secrets/secret-key.ts';
import { buildDashboard } from './build-dashboard.ts';
import { type Child, lastMessage, operatorLines } from './child.ts';
import { onNpmExit } from './npm-exit.ts';
import { listenOnce } from './ports.ts';
import { type ServerPlace, startAgent, startServer } from './programs.ts';
import { root } from './root.ts';
import { superviseServer } from './server-supervisor.ts';
import { answers } from './until.ts';

const closeActions: (() => Promise<void>)[] = [];
let stopping = false;

async function stopAll(code: number, sentence?: string): Promise<never> {
  if (stopping) return new Promise(() => {});
  stopping = true;
  if (sentence) console.error(sentence);
  for (const close of closeActions.reverse()) await close().catch(() => {});
  process.exit(code);
}

async function main(): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stopAll(0));
  onNpmExit(() => void stopAll(1));
  const config = ownSettings();
  const { port, data_dir: dataDir, public_url: publicUrl } = config;
  const serverPlace: ServerPlace = { dataDir, port, publicUrl, env: process.env };

  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const folderLock = await lockFolder(dataDir);
  closeActions.push(folderLock.release);
  await listenOnce(port, config.host);
  const dashboardState = await buildDashboard((sentence) => console.log(sentence));
  closeActions.push(() => stopOrphanedPostgres(dataDir));
  const serverIsReady = runServer(serverPlace);
  const host = /^(0\.0\.0\.0|::)$/.test(config.host) ? '127.0.0.1' : config.host;
  while (!(await answers(`http://${host.includes(':') ? `[${host}]` : host}:${port}/readyz`))) await sleep(40);

  const dashboardNote = dashboardState === 'none' ? ' (not built: dashboard/vite.config.ts is not there)' : '';
  console.log(`Dashboard:  ${publicUrl}/dashboard${dashboardNote}`);
  console.log(`Mailbox:    ${await mailboxText(config)}`);
  const trial = config.payments === 'simulator' ? 'start the trial (a test checkout: nothing is charged)' : 'start the trial';
  console.log(`Protection: register, ${trial}, choose “Add Device” and “This device”: then Porchlight protects this computer.`);
  serverIsReady();
  // The agent blocks sites on the whole computer where it may.
  const agentEnv = { ...process.env, AGENT_SYSTEM: process.env.AGENT_SYSTEM || 'auto' };
  if (existsSync(join(root, 'agent', 'main.ts'))) superviseAgent({ ...serverPlace, env: agentEnv });
}

/** A wrong setting ends the process before anything is created. */
function ownSettings(): Config {
  if (existsSync(join(root, '.env'))) process.loadEnvFile(join(root, '.env'));
  return readConfig(process.env);
}

/** The mailbox page needs the key in its address, and exists only if PUBLIC_URL is this computer or the operator asked for the page. */
async function mailboxText({ smtp_url, simulator_pages, public_url, data_dir }: Config): Promise<string> {
  if (smtp_url) return 'mail goes to SMTP_URL';
  if (!simulator_pages.mail) return 'closed, because PUBLIC_URL is not this computer; set SMTP_URL=mailbox: to open it';
  return `${public_url}/dev/mailbox?key=${await simulatorKeyIn(data_dir)}  (every mail and text that Porchlight sends)`;
}

/** Returns a function to call once the server is ready for the first time. */
function runServer(place: ServerPlace): () => void {
  let wasReady = false;
  let server: Child = startServer(place);
  closeActions.push(() => server.stop());
  const followNotes = () =>
    server.follow((line) => {
      const message = operatorLines(line);
      if (message) console.log(`Please note: ${message}`);
    });
  void superviseServer(server, {
    start() {
      server = startServer(place);
      followNotes();
      return server;
    },
    logFile: join(place.dataDir, 'logs', 'server.log'),
    wasReady: () => wasReady,
    isStopping: () => stopping,
    print: (sentence) => console.error(sentence),
    giveUp: (sentence) => void stopAll(1, sentence),
    now: Date.now,
    sleep,
  });
  return () => {
    wasReady = true;
    followNotes();
  };
}

/** A server that was killed leaves its database running. */
async function stopOrphanedPostgres(dataDir: string): Promise<void> {
  const cluster = join(dataDir, 'postgres', 'cluster');
  const orphan = await findPostmaster(cluster);
  if (orphan) await stopPostmaster(orphan.pid, cluster);
}

/** Restarts the agent at once, then with pauses of at most five seconds. */
function superviseAgent(place: ServerPlace): void {
  // The user stopped the product while the server was starting.
  if (stopping) return;
  const startAgentProcess = () => {
    const agent = startAgent(place);
    agent.follow((line) => {
      // Sentences, and the address of the window on a computer without a screen.
      if (/^[A-Z].*(\.|\?t=[\w-]+)$/.test(line)) console.log(`This computer: ${line}`);
    });
    return agent;
  };
  let agent: Child = startAgentProcess();
  closeActions.push(() => agent.stop());
  void (async () => {
    for (let pause = 250; ; pause = Math.min(pause * 2, 4_000)) {
      const startedAt = Date.now();
      const { code } = await agent.ended;
      if (stopping) return;
      if (Date.now() - startedAt > 60_000) pause = 250;
      else if (pause === 4_000)
        console.error(`The agent keeps stopping (exit code ${code}): ${lastMessage(agent.output()).split('\n').at(-1)}`);
      await sleep(pause);
      if (stopping) return;
      agent = startAgentProcess();
    }
  })();
}

main().catch((reason: unknown) => {
  const system = reason instanceof Error && 'code' in reason;
  const errorText = reason instanceof Error ? reason.message : String(reason);
  const sentence = system ? whyNotStarted(reason, process.env.DATA_DIR || 'data') : errorText;
  // Another process uses the folder: nothing to clean up.
  if (reason instanceof FolderInUse) {
    console.error(sentence);
    process.exit(1);
  }
  void stopAll(1, sentence);
});
