import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readConfig } from '../config.ts';
import { systemClock } from '../lib/clock.ts';
import { sealer } from '../lib/seal.ts';
import { secretKeyIn } from '../lib/secret-key.ts';
import { BadConfig } from '../settings/read.ts';
import { findCommand, help } from './commands.ts';
import { openDatabase } from './database.ts';
import { buildParts } from './parts.ts';
import { openPayments, paymentFailure } from './payments.ts';
import { Usage } from './usage.ts';

/** `npm run porchlight -- <words>`: what an operator does by hand. Says how it went: 0 done, 2 typed wrong, 1 it could not be done. */
async function main(typed: string[]): Promise<string[]> {
  if (typed.length === 0 || typed.some((word) => word === '--help' || word === '-h') || typed[0] === 'help') return help.split('\n');
  const { command, args } = findCommand(typed);
  const work = command(args, systemClock.now());
  // The same settings as `npm start` reads, from the same file.
  const file = fileURLToPath(new URL('../../.env', import.meta.url));
  if (existsSync(file)) process.loadEnvFile(file);
  const config = readConfig(process.env);
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

main(process.argv.slice(2)).then(
  (sentences) => process.stdout.write(sentences.map((sentence) => `${printable(sentence)}\n`).join('')),
  (reason: unknown) => {
    process.stderr.write(`${inWords(reason)}\n`);
    process.exitCode = reason instanceof Usage ? 2 : 1;
  },
);
