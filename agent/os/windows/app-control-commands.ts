import { execFile } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { copyFile, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Of definitions/app-control.ts, which a system may not import; a test compares them. */
export const policyId = '{6B0F4C1E-2D6B-4E0B-9C57-5A1D7E9B83F4}';

const names = ['policy', 'off'] as const;
const TIMEOUTS_MS = { convert: 60_000, apply: 10_000 };
const MAX_OUTPUT_BYTES = 1 << 20;
const MAX_REASON_LENGTH = 200;
/** HRESULT of a policy that Windows does not have. */
const notFound = 0x80070002 | 0;
/** The only parts of an error of PowerShell that are the same in every language. */
const missingCommand = /CommandNotFoundException|Modules_ModuleNotFound/;

export interface RunOptions {
  timeoutMs: number;
  signal: AbortSignal;
}
export interface RunResult {
  code: number;
  out: string;
}
/** Never rejects. `program`: the full path. */
export type Run = (program: string, args: string[], options: RunOptions) => Promise<RunResult>;

export interface AppControlCommandsDeps {
  /** `C:\Windows`. */
  systemRoot: string;
  /** A folder where only administrators write. */
  folder: string;
  run?: Run;
}

/**
 * The programs of Windows that make and apply policies, and the folder where Windows has them. `off` is a second policy that denies nothing:
 * it is made with each policy, so that no conversion is needed in a hurry. Methods throw a sentence.
 */
export function appControlCommands({ systemRoot, folder, run = runProgram }: AppControlCommandsDeps) {
  const inSystem = (...path: string[]) => join(systemRoot, 'System32', ...path);
  const [powerShell, ciTool] = [inSystem('WindowsPowerShell', 'v1.0', 'powershell.exe'), inSystem('CiTool.exe')];
  const activeFile = inSystem('CodeIntegrity', 'CiPolicies', 'Active', `${policyId}.cip`);
  // CiTool expects the GUID as the name of the file.
  const files = { policy: join(folder, `${policyId}.cip`), off: join(folder, 'off', `${policyId}.cip`) };
  const newFolder = join(folder, 'new');
  const newFile = (name: 'policy' | 'off', extension: 'xml' | 'cip') => join(newFolder, `${name}.${extension}`);

  const runCiTool = async (args: string[], signal: AbortSignal) => {
    // Without -json it waits for a key.
    const result = await run(ciTool, [...args, '-json'], { timeoutMs: TIMEOUTS_MS.apply, signal });
    signal.throwIfAborted();
    const operation = Number(/"OperationResult"\s*:\s*(-?\d+)/.exec(result.out)?.[1] ?? 0);
    return { ...result, code: (result.code || operation) | 0 };
  };

  return {
    hasCiTool: () => existsSync(ciTool),
    isInstalled: () => existsSync(activeFile),
    hasOff: () => existsSync(files.off),

    /** Makes both policies, in one start of PowerShell. Those of before stay until both are there. */
    async convert(texts: { policy: string; off: string }, signal: AbortSignal): Promise<void> {
      if (!existsSync(powerShell)) throw new Error('Windows PowerShell is not on this computer');
      // A file of an earlier conversion must not pass for the result of this one.
      await rm(newFolder, { recursive: true, force: true });
      await mkdir(newFolder, { recursive: true });
      for (const name of names) {
        if (!texts[name].includes(`<PolicyID>${policyId}<`)) throw new Error('the policy has another GUID');
        await writeFile(newFile(name, 'xml'), texts[name]);
      }
      const conversions = names.map(
        (name) =>
          `ConvertFrom-CIPolicy -XmlFilePath ${quote(newFile(name, 'xml'))} -BinaryFilePath ${quote(newFile(name, 'cip'))} | Out-Null`,
      );
      const script = ["$ErrorActionPreference = 'Stop'", "Import-Module (Join-Path $PSHOME 'Modules\\ConfigCI')", ...conversions].join(
        '; ',
      );
      const options = ['-NoLogo', '-NoProfile', '-NonInteractive', '-ExecutionPolicy', 'RemoteSigned'];
      const result = await run(powerShell, [...options, '-Command', script], { timeoutMs: TIMEOUTS_MS.convert, signal });
      signal.throwIfAborted();
      if (missingCommand.test(result.out)) throw new Error('this edition of Windows has no ConvertFrom-CIPolicy');
      if (result.code !== 0) throw new Error(reasonOf(result, 'PowerShell'));
      for (const name of names)
        if (!statSync(newFile(name, 'cip'), { throwIfNoEntry: false })?.size) throw new Error('ConvertFrom-CIPolicy wrote nothing');
      await mkdir(dirname(files.off), { recursive: true });
      for (const name of names) await rename(newFile(name, 'cip'), files[name]);
    },

    /** Applies it now where CiTool exists, and from the next start of Windows elsewhere. */
    async install(name: 'policy' | 'off', signal: AbortSignal): Promise<void> {
      if (!existsSync(ciTool)) {
        await mkdir(dirname(activeFile), { recursive: true });
        await copyFile(files[name], activeFile);
        return;
      }
      const result = await runCiTool(['--update-policy', files[name]], signal);
      if (result.code !== 0) throw new Error(reasonOf(result, 'CiTool'));
    },

    /** Until Windows 11 24H2 the last policy stays in force until Windows restarts, so install `off` before. */
    async remove(signal: AbortSignal): Promise<void> {
      const result = existsSync(ciTool) ? await runCiTool(['--remove-policy', policyId], signal) : null;
      const isRemoved = !result || [0, notFound].includes(result.code);
      // The file is what makes the policy come back with the next start of Windows.
      await rm(activeFile, { force: true });
      if (!isRemoved) throw new Error(reasonOf(result, 'CiTool'));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** PowerShell takes typographic quotation marks for straight ones. */
const quote = (text: string) => `'${text.replace(/['‘’‚‛]/g, '$&$&')}'`;

function reasonOf({ code, out }: RunResult, program: string): string {
  const line = out
    .split(/\r?\n/)
    .map((text) => text.trim())
    .find(Boolean);
  return line?.slice(0, MAX_REASON_LENGTH) ?? `${program} ended with ${code}`;
}

function runProgram(program: string, args: string[], { timeoutMs, signal }: RunOptions): Promise<RunResult> {
  return new Promise((resolve) => {
    const options = { timeout: timeoutMs, signal, windowsHide: true, maxBuffer: MAX_OUTPUT_BYTES };
    const child = execFile(program, args, options, (err, stdout, stderr) => {
      if (!err) return resolve({ code: 0, out: stdout });
      const isTimeout = err.killed === true && !signal.aborted;
      const out = isTimeout ? `no answer within ${timeoutMs / 1000} seconds` : `${stderr}\n${stdout}`;
      resolve({ code: Number(err.code) || 1, out: isTimeout || out.trim() ? out : err.message });
    });
    child.stdin?.end();
  });
}
