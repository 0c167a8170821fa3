// `npm start`: the whole product on this computer, without a setting.
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isLoopback } from '@porchlight/server/config.ts';
import { takeFolder } from '@porchlight/server/db/embedded/owner.ts';
import { FolderInUse } from '@porchlight/server/db/embedded/refusals.ts';
import { simulatorKeyIn } from '@porchlight/server/lib/secret-key.ts';
import { buildDashboard } from './build-dashboard.ts';
import { type Child, lastWords, whyEnded } from './child.ts';
import { whenNpmIsGone } from './npm-gone.ts';
import { isFree } from './ports.ts';
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
  if (existsSync(join(root, '.env'))) process.loadEnvFile(join(root, '.env'));
  const port = Number(process.env.PORT || 4380);
  const dataDir = resolve(root, process.env.DATA_DIR || 'data');
  const publicUrl = (process.env.PUBLIC_URL || `http://localhost:${port}`).replace(/\/+$/, '');
  const place: ServerPlace = { dataDir, port, publicUrl, env: process.env };

  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const owner = await takeFolder(dataDir);
  closing.push(owner.release);
  if (!(await isFree(port, process.env.HOST || '127.0.0.1'))) {
    await stopAll(1, `Port ${port} is taken by another program. Stop that one, or choose another port: PORT=${port + 1} npm start`);
  }
  const built = await buildDashboard((sentence) => console.log(sentence));
  const server = startServer(place);
  closing.push(() => server.stop());
  void server.ended.then((how) =>
    stopAll(1, `${whyEnded(server.said(), how)}\nThe server stopped; its log is ${join(dataDir, 'logs', 'server.log')}.`),
  );
  const host = /^(0\.0\.0\.0|::)?$/.test(process.env.HOST ?? '') ? '127.0.0.1' : process.env.HOST;
  const here = `http://${host}:${port}`;
  while (!(await answers(`${here}/readyz`))) await sleep(40);

  const agent = existsSync(join(root, 'agent', 'main.ts')) ? keepAgent(place) : null;
  const cannot = agent ? await agent.whatItCannotDo() : '';
  const what = built === 'none' ? ' (not built: dashboard/vite.config.ts is not there)' : '';
  console.log(`Dashboard:  ${publicUrl}/dashboard${what}`);
  console.log(`Mailbox:    ${await mailboxInWords(process.env, publicUrl, dataDir)}`);
  const trial = process.env.STRIPE_SECRET_KEY ? 'start the trial' : 'start the trial (a test checkout: nothing is charged)';
  console.log(
    `Protection: register, ${trial}, choose “Add Device” and “This device”, and this computer is protected.${cannot ? ` ${cannot}` : ''}`,
  );
}

/** Where the mails can be read. The page opens only with the key in its address, and where people reach us as this computer or it was asked for. */
async function mailboxInWords({ SMTP_URL }: NodeJS.ProcessEnv, publicUrl: string, dataDir: string): Promise<string> {
  if (SMTP_URL && SMTP_URL !== 'mailbox:') return 'mail goes to SMTP_URL';
  if (!SMTP_URL && !isLoopback(publicUrl)) return 'closed, because PUBLIC_URL is not this computer; set SMTP_URL=mailbox: to open it';
  return `${publicUrl}/dev/mailbox?key=${await simulatorKeyIn(dataDir)}  (every mail and text that Porchlight sends)`;
}

/** Runs the agent and starts it again when it dies: at once, then with a pause of at most five seconds. */
function keepAgent(place: ServerPlace): { whatItCannotDo(): Promise<string> } {
  let agent: Child = startAgent(place);
  closing.push(() => agent.stop());
  void (async () => {
    for (let pause = 250; ; pause = Math.min(pause * 2, 4_000)) {
      const began = Date.now();
      const { code } = await agent.ended;
      if (stopping) return;
      if (Date.now() - began > 60_000) pause = 250;
      else if (pause === 4_000) console.error(`The agent keeps stopping (exit code ${code}): ${lastWords(agent.said())}`);
      await sleep(pause);
      if (stopping) return;
      agent = startAgent(place);
    }
  })();
  return {
    /** The agent says in its first lines what it has no power to do on this computer. */
    async whatItCannotDo() {
      for (let tries = 0; tries < 40; tries++, await sleep(50)) {
        const line = agent.said().match(/^.*\b(?:cannot|can't)\b.*$/m)?.[0];
        if (line) return lastWords(line);
      }
      return '';
    },
  };
}

main().catch((reason: unknown) => {
  const full = (reason as NodeJS.ErrnoException).code === 'ENOSPC';
  const said = reason instanceof Error ? reason.message : String(reason);
  const sentence = full ? `The disk is full (${said}). Free some space and start Porchlight again.` : said;
  // Someone else's folder: nothing here is ours to close.
  if (reason instanceof FolderInUse) {
    console.error(sentence);
    process.exit(1);
  }
  void stopAll(1, sentence);
});
