import { type ChildProcess, execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
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

export const porchlightProcess = (typedArgs: string[], env: Record<string, string>): Promise<CommandResult> =>
  startPorchlight(typedArgs, env).result;

/** For a test that ends the process itself. */
export function startPorchlight(typedArgs: string[], env: Record<string, string>): { child: ChildProcess; result: Promise<CommandResult> } {
  const { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE } = process.env;
  const ownEnv = { PATH, HOME, TMPDIR, ...(NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {}) };
  const { promise: result, resolve } = Promise.withResolvers<CommandResult>();
  const args = ['--disable-warning=ExperimentalWarning', entry, ...typedArgs];
  const child = execFile(process.execPath, args, { env: { ...ownEnv, ...env } }, (reason, out, err) => {
    resolve({ code: reason ? Number(reason.code ?? 1) : 0, out, err });
  });
  return { child, result };
}

/**
 * Waits until PostgreSQL makes a command wait for `table`, which the test has locked; rejects if the command ends without. It has no limit of its
 * own: a restore creates every table before, and how long that takes is no promise, but depends on what else the computer does.
 */
export async function untilItWaits(result: Promise<CommandResult>, client: pg.Client, table: string): Promise<void> {
  let ended: CommandResult | null = null;
  void result.then((end) => (ended = end));
  for (;;) {
    const { rows } = await client.query(
      `select from pg_locks l join pg_database d on d.oid = l.database
       where not l.granted and l.relation = $1::regclass and d.datname = current_database()`,
      [table],
    );
    if (rows.length > 0) return;
    if (ended) throw new Error(`The command ended and did not wait for ${table}: ${JSON.stringify(ended)}`);
    await sleep(20);
  }
}
