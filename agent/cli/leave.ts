import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import type { News } from '@porchlight/contract/news.ts';
import { caller } from '../api/call.ts';
import type { Log } from '../ports.ts';
import type { Identity, Store } from '../state/store.ts';
import { messages } from '../ui/messages/messages.ts';

/** Where the agent that the system starts keeps its state. */
const systemFolders: Partial<Record<NodeJS.Platform, string>> = {
  linux: '/var/lib/porchlight-agent',
  darwin: '/Library/Application Support/Porchlight/data',
};

/** How long the server has to answer the command; after that the agent tells it. In milliseconds. */
const TIMEOUT_MS = 10_000;

export interface LeaveDeps {
  store: Store;
  now: () => Date;
  log: Log;
}

const wanted = (args: string[]) => (['--leave', '--stay'] as const).find((name) => args.includes(name));

/** The folder that a command is about: `given` where it is named, else that of the agent that the system starts, where there is one. */
export async function stateFolder(given: string | undefined, otherwise: string): Promise<string> {
  const system = systemFolders[process.platform];
  if (given !== undefined || !system) return otherwise;
  return (await stat(system).catch(() => null)) ? system : otherwise;
}

/**
 * `--leave`: an administrator of the computer wants it to leave its account; the holder and the family are told at once, and a day later it does.
 * `--stay`: it does not. The agent may run meanwhile. Who may: whoever may write into the agent's folder, which nobody but an administrator can where
 * the system started it. Answers the exit code; null when neither was asked for.
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
  await store.tell(news);
  await store.setNotice({ device: identity.device.uuid, news: news.uuid, span: null });
  log((await told(store, identity, news)) ? messages.terminal.leaveBegun : messages.terminal.leaveWaits);
}

async function stay({ store, now, log }: LeaveDeps, identity: Identity): Promise<void> {
  const before = await store.notice();
  await store.setNotice(null);
  if (before) {
    const news: News = { uuid: randomUUID(), time: now().toISOString(), said: { kind: 'stays' } };
    await store.tell(news);
    await told(store, identity, news);
  }
  log(messages.terminal.stays);
}

/** Tells it at once, also where no agent runs. What does not come through the agent tells later. */
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
