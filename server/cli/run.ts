import { asksForHelp, Usage } from '@porchlight/definitions/cli/command-line.ts';
import { readConfig } from '../config.ts';
import { systemClock } from '../lib/clock.ts';
import { sealer } from '../lib/seal.ts';
import { secretKeyIn } from '../lib/secret-key.ts';
import { BadConfig } from '../settings/read.ts';
import { findCommand, help } from './commands.ts';
import { openDatabase } from './database.ts';
import { buildParts } from './parts.ts';
import { openPayments, paymentFailure } from './payments.ts';

export interface Ran {
  /** 0: done. 2: typed wrong. 1: it could not be done. */
  code: number;
  out: string;
  err: string;
}

/** Runs the operator's command. `settings` reads the environment, once the words are known to be right. */
export async function runCommand(typed: string[], settings: () => NodeJS.ProcessEnv): Promise<Ran> {
  try {
    const sentences = await sentencesOf(typed, settings);
    return { code: 0, out: sentences.map((sentence) => `${printable(sentence)}\n`).join(''), err: '' };
  } catch (reason) {
    return { code: reason instanceof Usage ? 2 : 1, out: '', err: `${inWords(reason)}\n` };
  }
}

async function sentencesOf(typed: string[], settings: () => NodeJS.ProcessEnv): Promise<string[]> {
  if (typed.length === 0 || typed.some(asksForHelp) || typed[0] === 'help') return help.split('\n');
  const { command, args } = findCommand(typed);
  const work = command(args, systemClock.now());
  const config = readConfig(settings());
  const { db, close } = await openDatabase(config);
  const closing = [close];
  const payments = async () => {
    const opened = await openPayments(config, db);
    closing.push(opened.close);
    return opened;
  };
  const sealerOf = async () => sealer(config.secret_key ?? (await secretKeyIn(config.data_dir)));
  try {
    return await work(buildParts(db, systemClock, config.public_url, sealerOf, payments));
  } finally {
    for (const end of closing.reverse()) await end();
  }
}

/** A name that someone registered with may hold anything, and a terminal obeys some of it. */
const printable = (sentence: string) => sentence.replace(/\p{Cc}/gu, ' ');

function inWords(reason: unknown): string {
  if (reason instanceof Usage || reason instanceof BadConfig) return reason.message;
  const unpaid = paymentFailure(reason);
  if (unpaid) return unpaid;
  const { code, message } = reason as { code?: string; message?: string };
  if (code && /^(ECONN|ENOTFOUND|ETIMEDOUT|EAI_)/.test(code)) {
    return `The database cannot be reached (${code}); check DATABASE_URL, or whether the database runs.`;
  }
  return message || String(reason);
}
