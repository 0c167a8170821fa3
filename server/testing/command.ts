import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Ran, runCommand } from '../cli/run.ts';

const entry = fileURLToPath(new URL('../cli/main.ts', import.meta.url));

/** Runs the operator's command in this process, with these settings and no others. A process of its own takes a hundred times as long to start. */
export const porchlight = (words: string[], env: Record<string, string>): Promise<Ran> => runCommand(words, () => env);

/** Runs it as an operator does, as a process of its own; answers when it has ended. */
export function porchlightProcess(words: string[], env: Record<string, string>): Promise<Ran> {
  const { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE } = process.env;
  const own = { PATH, HOME, TMPDIR, ...(NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {}) };
  return new Promise((resolve) => {
    const args = ['--disable-warning=ExperimentalWarning', entry, ...words];
    execFile(process.execPath, args, { env: { ...own, ...env } }, (reason, out, err) => {
      resolve({ code: reason ? Number(reason.code ?? 1) : 0, out, err });
    });
  });
}
