import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import type { News } from '@porchlight/contract/news.ts';
import { caller } from '../api/call.ts';
import type { Log } from '../ports.ts';
import type { Identity, Store } from '../state/store.ts';
import { messages } from '../ui/messages/messages.ts';

/** The state folder of the agent that the system starts. */
const systemFolders: Partial<Record<NodeJS.Platform, string>> = {
  linux: '/var/lib/porchlight-agent',
  darwin: '/Library/Application Support/Porchlight/data',
};

/** After that the agent reports it later. */
const TIMEOUT_MS = 10_000;

export interface LeaveDeps {
  store: Store;
  now: () => Date;
  log: Log;
}

const wanted = (args: string[]) => (['--leave', '--stay'] as const).find((name) => args.includes(name));

/** The folder that a command is about: `given`, or that of the agent that the system starts, or `otherwise`. */
export async function stateFolder(given: string | undefined, otherwise: string): Promise<string> {
  const system = systemFolders[process.platform];
  if (given !== undefined || !system) return otherwise;
  return (await stat(system).catch(() => null)) ? system : otherwise;
}

/**
 * `--leave`: an administrator of the computer wants it to leave its account; the holder and the relatives are notified at once, and a day later it
 * leaves. `--stay` takes that back. Whoever may write into the agent's folder may do so, which only an administrator can where the system started the
 * agent, and the agent may run meanwhile. Answers the exit code; null when neither option was given.
 */
export async function leaveCommand(
  args: string[],
  deps: () => Promise<LeaveDeps>,
  print: (sentence: string) => void,
): Promise<number | null> {
  const asked = wanted(args);
  if (!asked) return null;
  try {
    const all = await deps();
    const identity = await all.store.identity();
    if (!identity) {
      print(messages.terminal.noAccount);
      return 1;
    }
    await (asked === '--leave' ? leave(all, identity) : stay(all, identity));
    return 0;
  } catch (err) {
    const { code = '' } = err as NodeJS.ErrnoException;
    print(['EACCES', 'EPERM'].includes(code) ? messages.terminal.notAdministrator : messages.terminal.notWritten('What was asked', err));
    return 1;
  }
}

async function leave({ store, now, log }: LeaveDeps, identity: Identity): Promise<void> {
  const before = await store.notice();
  if (before?.device === identity.device.uuid) return log(before.span ? messages.terminal.leaveBegun : messages.terminal.leaveWaits);
  const news: News = { uuid: randomUUID(), time: now().toISOString(), said: { kind: 'leaving' } };
  await store.queueNews(news);
  await store.setNotice({ device: identity.device.uuid, news: news.uuid, span: null });
  log((await told(store, identity, news)) ? messages.terminal.leaveBegun : messages.terminal.leaveWaits);
}

async function stay({ store, now, log }: LeaveDeps, identity: Identity): Promise<void> {
  const before = await store.notice();
  await store.setNotice(null);
  if (before) {
    const news: News = { uuid: randomUUID(), time: now().toISOString(), said: { kind: 'stays' } };
    await store.queueNews(news);
    await told(store, identity, news);
  }
  log(messages.terminal.stays);
}

/** Reports at once, also where no agent runs. The agent reports later what does not get through. */
async function told(store: Store, identity: Identity, news: News): Promise<boolean> {
  const options = { token: identity.agent_token, signal: AbortSignal.timeout(TIMEOUT_MS) };
  try {
    await caller(identity.server)('POST /agent/news', { body: { news: [news] } }, options);
    await store.told(news);
    return true;
  } catch {
    return false;
  }
}
