import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type AppControlState, appControlText } from '@porchlight/definitions/app-control.ts';
import { appControl, type TriedMode } from '../os/windows/app-control.ts';
import type { Run, RunResult } from '../os/windows/app-control-commands.ts';
import { settingsKey } from '../os/windows/settings.ts';
import { temporaryFolder } from './agent.ts';
import { registryInMemory } from './windows-registry.ts';

export const denied = (...values: string[]) => ({
  count: () => values.length,
  text: (state: AppControlState) =>
    appControlText(
      values.map((value) => ({ attribute: 'FileName' as const, value, identifier: 'acme' })),
      state,
    ),
});
export const nothing = denied();

/** What the programs of Windows print and return. */
export const answers = {
  updated: { code: 0, out: '{"OperationResult": 0, "PolicyOperation": "UpdatePolicy"}\r\n' },
  refused: { code: 2147942405, out: '{"OperationResult": -2147024891}\r\n' },
  refusedInJsonOnly: { code: 0, out: '{"OperationResult": -2147024891}\r\n' },
  notFound: { code: 2147942402, out: '{"OperationResult": -2147024894}\r\n' },
  noCmdlet: {
    code: 1,
    out: 'ConvertFrom-CIPolicy : Die Benennung "ConvertFrom-CIPolicy" wurde nicht als Name eines Cmdlet erkannt.\r\n    + FullyQualifiedErrorId : CommandNotFoundException\r\n',
  },
  noModule: { code: 1, out: 'Import-Module : …\r\n    + FullyQualifiedErrorId : Modules_ModuleNotFound,Microsoft.PowerShell.Commands\r\n' },
  badXml: { code: 1, out: '\r\nConvertFrom-CIPolicy : Data at the root level is invalid. Line 1, position 1.\r\nAt line:1 char:1\r\n' },
  timeout: { code: 1, out: 'no answer within 60 seconds' },
  silent: { code: 7, out: ' \r\n' },
} satisfies Record<string, RunResult>;

export interface GivenWindows {
  mode?: TriedMode;
  build?: number;
  ciTool?: boolean;
  powerShell?: boolean;
  folderName?: string;
}

/** A Windows with CiTool, PowerShell and the folder of active policies, whose commands answer as `fails` says. */
export async function windowsComputer({
  mode = 'enforced',
  build = 22_631,
  ciTool = true,
  powerShell = true,
  folderName = 'home',
}: GivenWindows = {}) {
  const root = await temporaryFolder();
  const folder = join(root, folderName, 'app-control');
  const system = join(root, 'System32');
  const active = join(system, 'CodeIntegrity', 'CiPolicies', 'Active');
  await mkdir(active, { recursive: true });
  await mkdir(join(system, 'WindowsPowerShell', 'v1.0'), { recursive: true });
  if (ciTool) await writeFile(join(system, 'CiTool.exe'), '');
  if (powerShell) await writeFile(join(system, 'WindowsPowerShell', 'v1.0', 'powershell.exe'), '');
  const registry = registryInMemory();
  const state = {
    commands: [] as string[],
    scripts: [] as string[],
    running: 0,
    most: 0,
    fails: {} as Partial<Record<'convert' | 'update' | 'remove', RunResult>>,
    /** The commands that contain `waits` end only when this resolves, or when they are interrupted. */
    gate: null as Promise<void> | null,
    waits: '',
    /** Whether CiTool leaves a file where other versions of Windows have it. */
    leavesFile: true,
    isDiskFull: false,
  };
  /** ‘A’’B’ of PowerShell is A'B. */
  const pathsIn = (script: string, option: string) =>
    [...script.matchAll(new RegExp(`-${option} '((?:''|[^'])*)'`, 'g'))].map(([, path = '']) =>
      path.replaceAll("''", "'").replaceAll('’’', '’'),
    );
  const convert = async (args: string[]) => {
    const script = args.at(-1) ?? '';
    state.scripts.push(script);
    if (state.fails.convert) return state.fails.convert;
    const targets = pathsIn(script, 'BinaryFilePath');
    for (const [index, xml] of pathsIn(script, 'XmlFilePath').entries()) await copyFile(xml, targets[index] ?? '');
    return { code: 0, out: '' };
  };
  const runCiTool = async ([verb, target = '', json]: string[]) => {
    if (json !== '-json') throw new Error('CiTool waits for a key.');
    if (verb === '--update-policy') {
      if (state.fails.update) return state.fails.update;
      if (state.leavesFile) await copyFile(target, join(active, basename(target)));
      return answers.updated;
    }
    if (state.fails.remove) return state.fails.remove;
    const file = join(active, `${target}.cip`);
    if (!existsSync(file)) return answers.notFound;
    await rm(file);
    return answers.updated;
  };
  const run: Run = async (program, args, { signal }) => {
    const name = basename(program);
    if (dirname(program) !== system && dirname(dirname(dirname(program))) !== system) throw new Error(`Not of the system: ${program}`);
    state.commands.push(name === 'CiTool.exe' ? `${name} ${args[0]}` : name);
    state.running++;
    state.most = Math.max(state.most, state.running);
    const interrupted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    if (state.commands.at(-1)?.includes(state.waits)) await Promise.race([state.gate, interrupted]);
    const result = signal.aborted
      ? { code: 1, out: 'The operation was aborted' }
      : await (name === 'CiTool.exe' ? runCiTool(args) : convert(args));
    state.running--;
    return result;
  };
  const logLines: string[] = [];
  const agent = (tried: TriedMode = mode) =>
    appControl({
      ...{ registry, folder, build, run },
      systemRoot: root,
      mode: tried,
      log: (line) => {
        logLines.push(line);
        if (state.isDiskFull) throw new Error('ENOSPC');
      },
    });
  return {
    ...{ registry, state, logLines, folder, active, agent },
    layer: agent(),
    mark: () => registry.read(settingsKey, 'AppControl'),
    /** The text of the policy in force; null without one. */
    inForce: () => {
      const [file] = readdirSync(active);
      return file === undefined ? null : readFileSync(join(active, file), 'utf8');
    },
  };
}
