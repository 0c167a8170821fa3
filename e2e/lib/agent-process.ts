import { startAgent } from '@porchlight/agent/agent.ts';
import type { DoorState } from '@porchlight/agent/os/doors.ts';
import { linux } from '@porchlight/agent/os/linux/linux.ts';
import { linuxListing } from '@porchlight/agent/os/linux/listing/listing.ts';
import { argumentsOf } from '@porchlight/agent/os/origin.ts';
import type { Os } from '@porchlight/agent/os/port.ts';
import { openStore } from '@porchlight/agent/state/store.ts';
import { commandWithoutSystem } from '@porchlight/agent/testing/dns-command.ts';
import { fakeSystem } from '@porchlight/agent/testing/fake-os.ts';
import type { ProgramSeen } from '@porchlight/definitions/format.ts';

/** The agent of `window-agent.ts` as a process, real except for clock, screen and the folder that stands for the disk. */

export interface AgentSettings {
  server: string;
  data: string;
  disk: string;
  /** Null: nothing is scanned or quarantined. */
  quarantineFolder: string | null;
  free: boolean;
  loopback_port: number;
  /** A simulated Windows computer, whose programs exist only in messages, in place of this one. */
  windows: boolean;
  /** Where the computer's programs ask for names on a simulated computer, and whom the agent asks in turn; ports on loopback. */
  dns: { port: number; upstream: number } | null;
}

/** `line`: the command line, from the Run box. `from`: the host that its file was downloaded from. */
export interface StartedBy {
  line?: string;
  from?: string;
}

export type ToAgent =
  | { kind: 'show' }
  | { kind: 'passes'; ms: number; wall: boolean }
  | { kind: 'close' }
  | { kind: 'start'; path: string; program: Omit<ProgramSeen, 'os'>; how: StartedBy }
  | { kind: 'is_suspended'; pid: number }
  | { kind: 'open_door'; change: Partial<DoorState> }
  | { kind: 'door_state' }
  | { kind: 'is_running'; pid: number }
  | { kind: 'browser_policies' }
  | { kind: 'may_leave'; typed: string };
/** `did`: the answer to a message, in their order. */
export type FromAgent =
  | { kind: 'ready' }
  | { kind: 'did'; result: unknown }
  | { kind: 'opened'; url: string }
  | { kind: 'output'; sentence: string };

const settings = JSON.parse(process.argv[2] ?? '') as AgentSettings;
const { server, data, disk, quarantineFolder, free, loopback_port, windows, dns } = settings;
const send = (message: FromAgent) => void process.send?.(message);
const offset = { wall: 0, up: 0 };
const now = () => new Date(Date.now() + offset.wall);
const onLoopback = (port: number) => ({ address: '127.0.0.1', port });

const simulated = fakeSystem();
const windowsInfo = () => ({
  name: 'DESKTOP-1',
  platform: 'windows' as const,
  os_version: '11',
  arch: 'x64',
  time_zone: 'America/New_York',
});
const thisComputer = (): Os => ({ ...linux({ PATH: process.env.PATH }), listing: () => linuxListing(disk, 0) });
const agent = await startAgent({
  os: {
    ...(windows ? { ...simulated, info: windowsInfo } : thisComputer()),
    openWindow(url) {
      send({ kind: 'opened', url });
      return true;
    },
  },
  ...{ store: await openStore(data), server, version: '1.0.0', freeAgent: free, quarantineFolder, loopback_port },
  sites: dns && {
    ...{ command: commandWithoutSystem, own: onLoopback(dns.port), page: null, system: windows, upstream: [onLoopback(dns.upstream)] },
  },
  ...{ now, readClock: () => ({ wall: now().getTime(), up: performance.now() + offset.up, boot: 'this one' }) },
  random: Math.random,
  log: (sentence) => send({ kind: 'output', sentence }),
});

function startProgram({ path, program, how: { line, from } }: Extract<ToAgent, { kind: 'start' }>): number {
  if (from) simulated.launched.set(path, { file: path, id: path, origin: { from: 'internet', host: from } });
  return simulated.start({
    ...{ name: program.name, path, program: { os: 'windows', ...program } },
    ...(line ? { command: { line, args: argumentsOf(line), parents: ['explorer.exe'], pipeline: [] } } : {}),
  }).pid;
}

function answerTo(message: ToAgent): unknown {
  switch (message.kind) {
    case 'show':
      return agent.showWindow();
    case 'passes':
      offset.up += message.ms;
      if (message.wall) offset.wall += message.ms;
      return null;
    case 'start':
      return startProgram(message);
    case 'is_suspended':
      return simulated.suspended.has(message.pid);
    case 'open_door':
      return simulated.openDoor(message.change);
    case 'door_state':
      return simulated.doorState;
    case 'is_running':
      return [...simulated.running].some(({ pid }) => pid === message.pid);
    case 'browser_policies':
      return simulated.policies;
    case 'may_leave':
      return agent.mayLeave(message.typed).then(
        () => null,
        (reason: Error) => reason.message,
      );
    case 'close':
      return agent.close().finally(() => process.exit(0));
  }
}
// In their order, since an answer says not to which message.
let answered: Promise<unknown> = Promise.resolve();
process.on('message', (message: ToAgent) => {
  answered = answered.then(async () => send({ kind: 'did', result: (await answerTo(message)) ?? null }));
});
process.once('disconnect', () => process.exit(0));
send({ kind: 'ready' });
