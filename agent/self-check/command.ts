import { homedir, release as systemRelease, tmpdir, version } from 'node:os';
import { join, win32 } from 'node:path';
import { parseArgs } from 'node:util';
import { release } from '../lib/release.ts';
import { ownNames, redactor } from './redact.ts';
import { countOf, type Report, reportText, writeReport } from './report.ts';
import type { Row } from './rows.ts';
import { runRows } from './run.ts';
import { type CheckedSystem, realSystem } from './system.ts';

/** `held`: all rows that were played. `failed`: at least one did not hold. `not_run`: no agent answers, or it was stopped. */
export const selfCheckExit = { held: 0, failed: 1, not_run: 2 } as const;

export interface SelfCheckDeps {
  env: NodeJS.ProcessEnv;
  /** The agent's port on loopback, and the server whose dashboard it answers. */
  port: number;
  server: string;
  /** The folder of the installed program, and on Windows of its state. */
  folders: { program: string; state: string };
  /** Calls back on Ctrl+C, and when the terminal is closed. */
  onStop: (stop: () => void) => void;
  print: (sentence: string) => void;
}

const usage = `porchlight-agent --self-check [--tool PATH] [--guardian-knows] [--may-restart] [--yes-to-none] [--out FOLDER]
  --tool PATH        a real download of a remote-control tool, such as AnyDesk, for the rows that need one
  --guardian-knows   the guardian is warned: rows that cause a real alert are played without a question
  --may-restart      the process of the agent may be ended once: that row is played without a question
  --yes-to-none      ask nothing: rows that need eyes or consent are not played
  --tool-name NAME   the name under which a harmless program is started, when AnyDesk is not on the list
  --out FOLDER       where the file is written`;

const options = {
  'self-check': { type: 'boolean' },
  tool: { type: 'string' },
  'tool-name': { type: 'string' },
  'guardian-knows': { type: 'boolean' },
  'may-restart': { type: 'boolean' },
  'yes-to-none': { type: 'boolean' },
  out: { type: 'string' },
} as const;

const systemNames = { win32: 'windows', darwin: 'macos', linux: 'linux' } as const;

/**
 * `--self-check` plays the rows of `docs/release-checks.md` that a program can play, and writes one file. Returns the exit code; null
 * without the option.
 */
export async function selfCheckCommand(args: string[], deps: () => Promise<SelfCheckDeps>): Promise<number | null> {
  if (!args.includes('--self-check')) return null;
  const selfCheckDeps = await deps();
  try {
    return await selfCheck(args, selfCheckDeps);
  } catch (err) {
    selfCheckDeps.print(`The self-check could not be played to its end: ${err instanceof Error ? err.message : String(err)}`);
    return selfCheckExit.not_run;
  }
}

async function selfCheck(args: string[], { env, port, server, folders, onStop, print }: SelfCheckDeps): Promise<number> {
  const values = optionsIn(args);
  const name = values?.['tool-name'] ?? (process.platform === 'linux' ? 'anydesk' : 'AnyDesk');
  if (!values || !/^[\w .-]+$/.test(name)) {
    print(usage);
    return selfCheckExit.not_run;
  }
  const stopping = new AbortController();
  onStop(() => stopping.abort());
  const system = realSystem({ platform: process.platform, env, port, origin: new URL(server).origin, signal: stopping.signal });
  const startedAt = system.now();
  const status = await system.agentStatus();
  if (status === null) {
    print('No Porchlight agent answers on this computer, so nothing was checked. Start it, and run this again.');
    return selfCheckExit.not_run;
  }
  print('This takes up to ten minutes. Nothing is changed that is not put back. Ctrl+C stops it.');
  const rows = await runRows({
    rows: await rowsOfSystem(),
    tools: {
      system: values['yes-to-none'] ? { ...system, ask: async () => 'skip' } : system,
      ...{ status: status === 'other' ? null : status, toolName: name, toolPath: values.tool ?? null, folders },
    },
    agreed: { guardian: values['guardian-knows'] ?? false, restart: values['may-restart'] ?? false },
    ...{ signal: stopping.signal, print },
  }).finally(() => system.cleanUp());
  const report: Report = {
    date: localDate(new Date()),
    system: systemNames[system.platform],
    system_version: await systemVersion(system),
    agent_version: status === 'other' ? (release?.version ?? 'unknown') : status.v,
    complete: !stopping.signal.aborted,
    seconds: Math.round((system.now() - startedAt) / 1000),
    rows,
  };
  const path = await writeReport(report, reportText(report, redactor(ownNames(env))), values.out ? [values.out] : foldersFor(env));
  print(`${countOf(rows, 'held')} held, ${countOf(rows, 'not_held')} not held, ${countOf(rows, 'not_played')} not played.`);
  print(`Please send this file to the people who gave you the installer: ${path}`);
  if (stopping.signal.aborted) return selfCheckExit.not_run;
  return countOf(rows, 'not_held') > 0 ? selfCheckExit.failed : selfCheckExit.held;
}

function optionsIn(args: string[]) {
  try {
    return parseArgs({ args, options }).values;
  } catch {
    return null;
  }
}

/** The imports are dynamic: a bundle contains only one system's rows. */
async function rowsOfSystem(): Promise<Row[]> {
  if (process.platform === 'win32') return (await import('./rows-windows.ts')).windowsRows;
  if (process.platform === 'darwin') return (await import('./rows-macos.ts')).macosRows;
  return (await import('./rows-linux.ts')).linuxRows;
}

/** An administrator's terminal of Windows begins in the folder of the system, where nobody finds a file. */
const foldersFor = (env: NodeJS.ProcessEnv) =>
  process.platform === 'win32'
    ? [win32.join(env.USERPROFILE ?? homedir(), 'Desktop'), homedir(), tmpdir()]
    : [process.cwd(), homedir(), tmpdir()];

async function systemVersion(system: CheckedSystem): Promise<string> {
  const kernel = `${version()} (${systemRelease()}, ${process.arch})`;
  if (system.platform === 'darwin') return `macOS ${(await system.run('sw_vers', '-productVersion')).output.trim()}, ${kernel}`;
  if (system.platform === 'win32') return kernel;
  const name = /^PRETTY_NAME="?([^"\n]*)"?$/m.exec((await system.readText(join('/etc', 'os-release'))) ?? '')?.[1];
  return `${name ?? 'Linux'}, ${kernel}`;
}

/** As the user reads it on the computer's clock. */
const localDate = (date: Date) =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((n) => String(n).padStart(2, '0')).join('-');
