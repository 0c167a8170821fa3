import { chooseCommand, Usage } from '@porchlight/definitions/cli/command-line.ts';
import { type Config, readConfig } from '../config.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import { sealer } from '../secrets/seal.ts';
import { secretKeyIn } from '../secrets/secret-key.ts';
import { BadConfig } from '../settings/read.ts';
import { buildCommandDeps, type CommandReport, type CommandRun } from './command-deps.ts';
import { commandTable } from './commands.ts';
import { openDatabase } from './database.ts';
import { type Network, realNetwork } from './network.ts';
import { openPayments, paymentFailure } from './payments.ts';

export interface CommandResult {
  /** Exit code. 0: success. 1: failure. 2: wrong arguments. */
  code: number;
  out: string;
  err: string;
}

/** `settings` reads the environment, once the command's name is valid. `network`: for commands that ask the network themselves. */
export async function runCommand(
  args: string[],
  settings: () => NodeJS.ProcessEnv,
  clock: Clock = systemClock,
  network: Network = realNetwork,
): Promise<CommandResult> {
  try {
    const { code, sentences } = await reportOf(args, settings, clock, network);
    return { code, out: sentences.map((sentence) => `${printable(sentence)}\n`).join(''), err: '' };
  } catch (reason) {
    return { code: reason instanceof Usage ? 2 : 1, out: '', err: `${describeFailure(reason)}\n` };
  }
}

async function reportOf(args: string[], settings: () => NodeJS.ProcessEnv, clock: Clock, network: Network): Promise<CommandReport> {
  const chosenCommand = chooseCommand(args, commandTable);
  if ('help' in chosenCommand) return { code: 0, sentences: chosenCommand.help.trimEnd().split('\n') };
  const { command, args: commandArgs } = chosenCommand;
  if ('readStandalone' in command) return command.readStandalone(commandArgs)({ env: settings(), clock, network });
  return { code: 0, sentences: await runWithDatabase(command.read(commandArgs, clock.now()), readConfig(settings()), clock) };
}

async function runWithDatabase(work: CommandRun, config: Config, clock: Clock): Promise<string[]> {
  const { db, close } = await openDatabase(config);
  const closers = [close];
  const payments = async () => {
    const openedPayments = await openPayments(config, db);
    closers.push(openedPayments.close);
    return openedPayments;
  };
  const sealerOf = async () => sealer(config.secret_key ?? (await secretKeyIn(config.data_dir)));
  try {
    return await work(buildCommandDeps(db, clock, config, sealerOf, payments));
  } finally {
    for (const end of closers.reverse()) await end();
  }
}

/** Names chosen by users may contain terminal control sequences. */
const printable = (sentence: string) => sentence.replace(/\p{Cc}/gu, ' ');

function describeFailure(reason: unknown): string {
  if (reason instanceof Usage || reason instanceof BadConfig) return reason.message;
  const stripeFailure = paymentFailure(reason);
  if (stripeFailure) return stripeFailure;
  const { code, message, path } = reason as { code?: string; message?: string; path?: string };
  if (path && /^(EACCES|EPERM|EROFS)$/.test(code ?? '')) {
    return `This user may not use ${path} (${code}). Run the command as the user of the server, or give that user the folder.`;
  }
  if (code && /^(ECONN|ENOTFOUND|ETIMEDOUT|EAI_)/.test(code)) {
    return `The database cannot be reached (${code}); check DATABASE_URL, or whether the database runs.`;
  }
  return message || String(reason);
}
