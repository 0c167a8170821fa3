// `npm start`: the whole product on this computer, without a setting.
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Config, readConfig } from '@porchlight/server/config.ts';
import { takeFolder } from '@porchlight/server/db/embedded/owner.ts';
import { FolderInUse } from '@porchlight/server/db/embedded/refusals.ts';
import { simulatorKeyIn } from '@porchlight/server/lib/secret-key.ts';
import { whyNotStarted } from '@porchlight/server/lib/start-failure.ts';
import { buildDashboard } from './build-dashboard.ts';
import { type Child, lastWords, toOperator, whyEnded } from './child.ts';
import { whenNpmIsGone } from './npm-gone.ts';
import { listenOnce } from './ports.ts';
import { type ServerPlace, startAgent, startServer } from './programs.ts';
import { root } from './root.ts';
import { answers } from './until.ts';

const closing: (() => Promise<void>)[] = [];
let stopping = false;

async function stopAll(code: number, sentence?: string): Promise<never> {
  if (stopping) return new Promise(() => {});
  stopping = true;
  if (sentence) console.error(sentence);
  for (const close of closing.reverse()) await close().catch(() => {});
  process.exit(code);
}

async function main(): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stopAll(0));
  whenNpmIsGone(() => void stopAll(1));
  const config = ownSettings();
  const { port, data_dir: dataDir, public_url: publicUrl } = config;
  const place: ServerPlace = { dataDir, port, publicUrl, env: process.env };

  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const owner = await takeFolder(dataDir);
  closing.push(owner.release);
  await listenOnce(port, config.host);
  const built = await buildDashboard((sentence) => console.log(sentence));
  const server = startServer(place);
  closing.push(() => server.stop());
  void server.ended.then((how) =>
    stopAll(1, `${whyEnded(server.said(), how)}\nThe server stopped; its log is ${join(dataDir, 'logs', 'server.log')}.`),
  );
  const host = /^(0\.0\.0\.0|::)$/.test(config.host) ? '127.0.0.1' : config.host;
  while (!(await answers(`http://${host.includes(':') ? `[${host}]` : host}:${port}/readyz`))) await sleep(40);

  const what = built === 'none' ? ' (not built: dashboard/vite.config.ts is not there)' : '';
  console.log(`Dashboard:  ${publicUrl}/dashboard${what}`);
  console.log(`Mailbox:    ${await mailboxInWords(config)}`);
  const trial = config.payments === 'simulator' ? 'start the trial (a test checkout: nothing is charged)' : 'start the trial';
  console.log(`Protection: register, ${trial}, choose “Add Device” and “This device”, and this computer is protected.`);
  // From here on: messages for the operator, whenever they come.
  server.follow((line) => {
    const message = toOperator(line);
    if (message) console.log(`Please note: ${message}`);
  });
  if (existsSync(join(root, 'agent', 'main.ts'))) keepAgent(place);
}

/** All that is set, read before anything is made or started; what is wrong with it ends this, in words. */
function ownSettings(): Config {
  if (existsSync(join(root, '.env'))) process.loadEnvFile(join(root, '.env'));
  return readConfig(process.env);
}

/** Where the mails can be read. The page opens only with the key in its address, and where people reach us as this computer or it was asked for. */
async function mailboxInWords({ smtp_url, simulator_pages, public_url, data_dir }: Config): Promise<string> {
  if (smtp_url) return 'mail goes to SMTP_URL';
  if (!simulator_pages.mail) return 'closed, because PUBLIC_URL is not this computer; set SMTP_URL=mailbox: to open it';
  return `${public_url}/dev/mailbox?key=${await simulatorKeyIn(data_dir)}  (every mail and text that Porchlight sends)`;
}

/** Runs the agent and starts it again when it dies: at once, then with a pause of at most five seconds. Its messages for the operator are printed here too. */
function keepAgent(place: ServerPlace): void {
  // It was asked to stop while the server was starting.
  if (stopping) return;
  const begin = () => {
    const agent = startAgent(place);
    agent.follow((line) => {
      if (/^[A-Z].*\.$/.test(line)) console.log(`This computer: ${line}`);
    });
    return agent;
  };
  let agent: Child = begin();
  closing.push(() => agent.stop());
  void (async () => {
    for (let pause = 250; ; pause = Math.min(pause * 2, 4_000)) {
      const began = Date.now();
      const { code } = await agent.ended;
      if (stopping) return;
      if (Date.now() - began > 60_000) pause = 250;
      else if (pause === 4_000)
        console.error(`The agent keeps stopping (exit code ${code}): ${lastWords(agent.said()).split('\n').at(-1)}`);
      await sleep(pause);
      if (stopping) return;
      agent = begin();
    }
  })();
}

main().catch((reason: unknown) => {
  const system = reason instanceof Error && 'code' in reason;
  const said = reason instanceof Error ? reason.message : String(reason);
  const sentence = system ? whyNotStarted(reason, process.env.DATA_DIR || 'data') : said;
  // Someone else's folder: nothing here is ours to close.
  if (reason instanceof FolderInUse) {
    console.error(sentence);
    process.exit(1);
  }
  void stopAll(1, sentence);
});
