import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type CommandResult, runCommand } from '../cli/run.ts';
import type { Clock } from '../lib/clock.ts';
import type { TestServer } from './world.ts';

const entry = fileURLToPath(new URL('../cli/main.ts', import.meta.url));

/** This process is a hundred times as fast as a new one. */
export const porchlight = (typedArgs: string[], env: Record<string, string>, clock?: Clock): Promise<CommandResult> =>
  runCommand(typedArgs, () => env, clock);

/** Runs commands where a server runs. `more`: further settings. */
export const commandsOf =
  (server: () => TestServer, more: Record<string, string> = {}) =>
  (...args: string[]): Promise<CommandResult> => {
    const { database_url: DATABASE_URL, config } = server();
    return porchlight(args, { DATABASE_URL, DATA_DIR: config.data_dir, ...more });
  };

export function porchlightProcess(typedArgs: string[], env: Record<string, string>): Promise<CommandResult> {
  const { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE } = process.env;
  const ownEnv = { PATH, HOME, TMPDIR, ...(NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {}) };
  return new Promise((resolve) => {
    const args = ['--disable-warning=ExperimentalWarning', entry, ...typedArgs];
    execFile(process.execPath, args, { env: { ...ownEnv, ...env } }, (reason, out, err) => {
      resolve({ code: reason ? Number(reason.code ?? 1) : 0, out, err });
    });
  });
}
