// Plays the rows of `docs/release-checks.md` that a program can play, beside an installed agent, and writes one file.

import { execFile } from 'node:child_process';
import { homedir, release, tmpdir, version } from 'node:os';
import { win32 } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { operatorIn } from '@porchlight/agent/lib/operator.ts';
import { limits } from '@porchlight/contract/limits.ts';
import { layout } from '../linux/layout.ts';
import { ownNames, redactor } from './redact.ts';
import { countOf, type Report, reportText, writeReport } from './report.ts';
import { linuxRows } from './rows-linux.ts';
import { macosRows, macProgramFolder } from './rows-macos.ts';
import { windowsRows } from './rows-windows.ts';
import { runRows } from './run.ts';
import { type CheckedSystem, realSystem } from './system.ts';
import { registryKeys } from './windows-parse.ts';

/** `held`: all rows that were played. `failed`: at least one did not hold. `not_run`: no agent answers, or it was stopped. */
const exitCode = { held: 0, failed: 1, not_run: 2 } as const;

const usage = `self-check [--tool PATH] [--guardian-knows] [--may-restart] [--yes-to-none] [--out FOLDER]
  --tool PATH        a real download of a remote-control tool, such as AnyDesk, for the rows that need one
  --guardian-knows   the guardian is warned: rows that cause a real alert are played without a question
  --may-restart      the process of the agent may be ended once: that row is played without a question
  --yes-to-none      ask nothing: rows that need eyes or consent are not played
  --tool-name NAME   the name under which a harmless program is started, when AnyDesk is not on the list
  --out FOLDER       where the file is written`;

const options = {
  tool: { type: 'string' },
  'tool-name': { type: 'string' },
  'guardian-knows': { type: 'boolean' },
  'may-restart': { type: 'boolean' },
  'yes-to-none': { type: 'boolean' },
  out: { type: 'string' },
} as const;

const systems = {
  win32: { name: 'windows', rows: windowsRows, program: 'C:\\Program Files\\Porchlight' },
  darwin: { name: 'macos', rows: macosRows, program: macProgramFolder },
  linux: { name: 'linux', rows: linuxRows, program: layout.folder },
} as const;

const print = (sentence: string) => void process.stdout.write(`${sentence}\n`);

async function selfCheck(args: string[], env: NodeJS.ProcessEnv): Promise<number> {
  const platform = process.platform === 'win32' || process.platform === 'darwin' ? process.platform : 'linux';
  const values = optionsIn(args);
  const name = values?.['tool-name'] ?? (platform === 'linux' ? 'anydesk' : 'AnyDesk');
  if (!values || !/^[\w .-]+$/.test(name)) {
    print(usage);
    return exitCode.not_run;
  }
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK']) process.on(signal, () => stopping.abort());
  const { folders, ...address } = await installedAgent(platform, env);
  const system = realSystem({ platform, env, ...address, signal: stopping.signal });
  const startedAt = system.now();
  const status = await system.agentStatus();
  if (status === null) {
    print('No Porchlight agent answers on this computer, so nothing was checked. Start it, and run this again.');
    return exitCode.not_run;
  }
  print('This takes up to ten minutes. Nothing is changed that is not put back. Ctrl+C stops it.');
  const rows = await runRows({
    rows: systems[platform].rows,
    tools: {
      system: values['yes-to-none'] ? { ...system, ask: async () => 'skip' } : system,
      ...{ status: status === 'other' ? null : status, toolName: name, toolPath: values.tool ?? null, folders },
    },
    agreed: { guardian: values['guardian-knows'] ?? false, restart: values['may-restart'] ?? false },
    ...{ signal: stopping.signal, print },
  }).finally(() => system.cleanUp());
  const report: Report = {
    date: localDate(new Date()),
    system: systems[platform].name,
    system_version: await systemVersion(system),
    agent_version: status === 'other' ? 'unknown' : status.v,
    complete: !stopping.signal.aborted,
    seconds: Math.round((system.now() - startedAt) / 1000),
    rows,
  };
  const folder = values.out ? [values.out] : [process.cwd(), homedir(), tmpdir()];
  const path = await writeReport(report, reportText(report, redactor(ownNames(env))), folder);
  print(`${countOf(rows, 'held')} held, ${countOf(rows, 'not_held')} not held, ${countOf(rows, 'not_played')} not played.`);
  print(`The file: ${path}`);
  if (stopping.signal.aborted) return exitCode.not_run;
  return countOf(rows, 'not_held') > 0 ? exitCode.failed : exitCode.held;
}

/** Where the agent of this computer is and answers. The settings of the installer count before those of the environment. */
async function installedAgent(platform: CheckedSystem['platform'], env: NodeJS.ProcessEnv) {
  const settings = platform === 'win32' ? await windowsSettings(env) : undefined;
  const { program } = systems[platform];
  const server = settings?.get('server') || env.PORCHLIGHT_SERVER || (await serverBeside(program)) || 'http://localhost:4380';
  return {
    folders: { program, state: settings?.get('data') || win32.join(env.ProgramData ?? 'C:\\ProgramData', 'Porchlight') },
    port: Number(settings?.get('port') || env.AGENT_LOOPBACK_PORT || limits.loopback_port),
    origin: new URL(server).origin,
  };
}

/** The signature is not verified: the address only says in whose name the agent on this computer is asked. */
async function serverBeside(program: string): Promise<string | undefined> {
  const operator = await operatorIn(program, ({ payload }, shape) => shape.parse(JSON.parse(payload)));
  return operator?.public_url;
}

async function windowsSettings({ SystemRoot = 'C:\\Windows' }: NodeJS.ProcessEnv): Promise<Map<string, string> | undefined> {
  const command = win32.join(SystemRoot, 'System32', 'reg.exe');
  const { stdout } = await promisify(execFile)(command, ['query', 'HKLM\\SOFTWARE\\Porchlight']).catch(() => ({ stdout: '' }));
  return registryKeys(stdout)[0]?.values;
}

function optionsIn(args: string[]) {
  try {
    return parseArgs({ args, options }).values;
  } catch {
    return null;
  }
}

async function systemVersion({ platform, run, readText }: CheckedSystem): Promise<string> {
  const kernel = `${version()} (${release()}, ${process.arch})`;
  if (platform === 'darwin') return `macOS ${(await run('sw_vers', '-productVersion')).output.trim()}, ${kernel}`;
  if (platform === 'win32') return kernel;
  const name = /^PRETTY_NAME="?([^"\n]*)"?$/m.exec((await readText('/etc/os-release')) ?? '')?.[1];
  return `${name ?? 'Linux'}, ${kernel}`;
}

/** As the user reads it on the computer's clock. */
const localDate = (date: Date) =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((n) => String(n).padStart(2, '0')).join('-');

selfCheck(process.argv.slice(2), process.env).then(
  (code) => process.exit(code),
  (err: unknown) => {
    print(`The self-check could not be played to its end: ${err instanceof Error ? err.message : String(err)}`);
    process.exit(exitCode.not_run);
  },
);
