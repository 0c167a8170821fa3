import type { RowTools } from '../rows.ts';
import type { AgentAnswer, Answer, CheckedSystem, CommandOutput, StartedProgram } from '../system.ts';

/** Part of a command line, what the command prints, and its exit code. The first match answers; a command without one is absent. */
export type FakeCommand = [part: string, output: string, code?: number];

/** How long a program lives, in milliseconds; null when nobody ends it. */
export interface FakeProgram {
  livesMs: number | null;
  output?: string;
  code?: number;
}

export interface FakeSystem extends CheckedSystem {
  commands: FakeCommand[];
  files: Map<string, string>;
  /** By the file name of the copy; others go on. */
  programs: Map<string, FakeProgram>;
  running: Set<string>;
  copies: Set<string>;
  questions: string[];
  answer: Answer;
  status: AgentAnswer;
  isAdmin: boolean;
  killed: number[];
  time: number;
}

/** A computer for tests, whose clock moves only when somebody waits. */
export function fakeSystem(platform: CheckedSystem['platform'], commands: FakeCommand[] = []): FakeSystem {
  const system: FakeSystem = {
    ...{ platform, commands, files: new Map(), programs: new Map(), running: new Set(), copies: new Set(), questions: [] },
    ...{ answer: 'yes', status: { g: false, l: true, v: '1.2.3' }, isAdmin: true, killed: [], time: 0 },
    isAdministrator: async () => system.isAdmin,
    async run(...command): Promise<CommandOutput> {
      const line = command.join(' ');
      const [, output, code = 0] = system.commands.find(([part]) => line.includes(part)) ?? [];
      return output === undefined ? { code: null, output: '' } : { code, output };
    },
    async start(path): Promise<StartedProgram> {
      const name = path.slice(path.lastIndexOf('/') + 1);
      const { livesMs, output = '', code = 1 } = system.programs.get(name) ?? { livesMs: null, output: 'Pinging' };
      system.running.add(name);
      return {
        async endedAfter(withinMs) {
          const isEnded = livesMs !== null && livesMs <= system.time + withinMs;
          system.time = isEnded ? Math.max(system.time, livesMs) : system.time + withinMs;
          return isEnded ? livesMs : null;
        },
        output: () => output,
        exitCode: () => (livesMs === null ? null : code),
        end: async () => void system.running.delete(name),
      };
    },
    async copyProgram(_source, name) {
      system.copies.add(name);
      return `/tmp/${name}`;
    },
    async cleanUp() {
      system.running.clear();
      system.copies.clear();
    },
    readText: async (path) => system.files.get(path) ?? null,
    async kill(pid) {
      system.killed.push(pid);
      return true;
    },
    agentStatus: async () => system.status,
    async ask(question) {
      system.questions.push(question);
      return system.answer;
    },
    async wait(ms) {
      system.time += ms;
    },
    now: () => system.time,
  };
  return system;
}

export function toolsFor(system: FakeSystem): RowTools {
  return {
    ...{ system, status: system.status === 'other' ? null : system.status, toolName: 'AnyDesk', toolPath: null },
    folders: { program: 'C:\\Program Files\\Porchlight', state: 'C:\\ProgramData\\Porchlight' },
  };
}

export interface Given {
  commands?: FakeCommand[];
  files?: Record<string, string>;
}
/** What a row must take for as expected, for not as expected, and for neither. Outputs in the form of the real commands. */
export interface Case {
  good: Given[];
  bad: Given[];
  unknown: Given[];
}

export const given = (...commands: FakeCommand[]): Given => ({ commands });
export const file = (path: string, text: string): Given => ({ files: { [path]: text } });
export const connected: Case = { good: [{}], bad: [], unknown: [] };
export const foreign = given(['', 'Etwas anderes steht hier.']);

export const policiesText = [
  '    DefaultNotificationsSetting    REG_DWORD    0x2',
  'HKEY_LOCAL_MACHINE\\SOFTWARE\\Policies\\Google\\Chrome\\NotificationsAllowedForUrls',
  '    DnsOverHttpsMode    REG_SZ    off',
  '    RemoteAccessHostAllowRemoteSupportConnections    REG_DWORD    0x0',
  '    RemoteAccessHostAllowRemoteAccessConnections    REG_DWORD    0x0',
].join('\r\n');
export const noKey: FakeCommand = ['', 'ERROR: The system was unable to find the specified registry key or value.', 1];

export const names = (open: FakeCommand[], listed: FakeCommand[]): Given => ({ commands: [...listed, ...open] });
