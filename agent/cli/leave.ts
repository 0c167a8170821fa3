import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import type { AgentEvent } from '@porchlight/contract/agent-events.ts';
import { caller } from '../api/call.ts';
import type { Log } from '../ports.ts';
import type { Identity, Store } from '../state/store.ts';
import { messages } from '../ui/messages/messages.ts';

const systemFolders: Partial<Record<NodeJS.Platform, string>> = {
  linux: '/var/lib/porchlight-agent',
  darwin: '/Library/Application Support/Porchlight/data',
};

const TIMEOUT_MS = 10_000;

export interface LeaveDeps {
  store: Store;
  now: () => Date;
  log: Log;
}

const commandIn = (args: string[]) => (['--leave', '--stay'] as const).find((name) => args.includes(name));

export async function stateFolder(givenFolder: string | undefined, defaultFolder: string): Promise<string> {
  const system = systemFolders[process.platform];
  if (givenFolder !== undefined || !system) return defaultFolder;
  return (await stat(system).catch(() => null)) ? system : defaultFolder;
}

/**
 * `--leave` removes the computer from its account: holder and relatives are notified at once, and a day later the computer leaves. `--stay`
 * cancels the leave. Each needs write access to the agent's folder, for an installed agent an administrator's. Returns the exit code; null
 * without either option.
 */
export async function leaveCommand(
  args: string[],
  deps: () => Promise<LeaveDeps>,
  print: (sentence: string) => void,
): Promise<number | null> {
  const command = commandIn(args);
  if (!command) return null;
  try {
    const leaveDeps = await deps();
    const identity = await leaveDeps.store.identity();
    if (!identity) {
      print(messages.terminal.noAccount);
      return 1;
    }
    await (command === '--leave' ? leave(leaveDeps, identity) : stay(leaveDeps, identity));
    return 0;
  } catch (err) {
    const { code = '' } = err as NodeJS.ErrnoException;
    print(['EACCES', 'EPERM'].includes(code) ? messages.terminal.notAdministrator : messages.terminal.notWritten('What was asked', err));
    return 1;
  }
}

async function leave({ store, now, log }: LeaveDeps, identity: Identity): Promise<void> {
  const pendingNotice = await store.notice();
  if (pendingNotice?.device === identity.device.uuid)
    return log(pendingNotice.span ? messages.terminal.leaveBegun : messages.terminal.leaveWaits);
  const event: AgentEvent = { uuid: randomUUID(), time: now().toISOString(), reported: { kind: 'leaving' } };
  await store.queueEvent(event);
  await store.setNotice({ device: identity.device.uuid, event: event.uuid, span: null });
  log((await reportNow(store, identity, event)) ? messages.terminal.leaveBegun : messages.terminal.leaveWaits);
}

async function stay({ store, now, log }: LeaveDeps, identity: Identity): Promise<void> {
  const pendingNotice = await store.notice();
  await store.setNotice(null);
  if (pendingNotice) {
    const event: AgentEvent = { uuid: randomUUID(), time: now().toISOString(), reported: { kind: 'stays' } };
    await store.queueEvent(event);
    await reportNow(store, identity, event);
  }
  log(messages.terminal.stays);
}

/** Sends the event even when no agent runs. If that fails, the agent sends it later. */
async function reportNow(store: Store, identity: Identity, event: AgentEvent): Promise<boolean> {
  const options = { token: identity.agent_token, signal: AbortSignal.timeout(TIMEOUT_MS) };
  try {
    await caller(identity.server)('POST /agent/events', { body: { events: [event] } }, options);
    await store.eventReported(event);
    return true;
  } catch {
    return false;
  }
}
