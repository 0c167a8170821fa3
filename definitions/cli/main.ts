import { z } from 'zod';
import { signDocument } from '../signature.ts';
import { runCommand } from './commands.ts';
import { readText } from './files.ts';
import { Failure, Usage } from './usage.ts';

const keyPair = z.object({ public_key: z.string(), private_key: z.string() });

function sign(payload: unknown, keyFile: string) {
  const text = readText(keyFile);
  try {
    return signDocument(payload, keyPair.parse(JSON.parse(text)));
  } catch {
    throw new Failure(`${keyFile} does not hold an Ed25519 pair: {"public_key":...,"private_key":...}, 32 raw bytes each as base64url.`);
  }
}

// Whoever reads the answers may have seen enough, as `| head` has.
process.stdout.on('error', (reason: NodeJS.ErrnoException) => process.exit(reason.code === 'EPIPE' ? 0 : 1));

/** `npm run -s definitions -- <words>`: the catalogue in the hands of an operator. 0 done, 2 typed wrong, 1 something is wrong. */
runCommand(process.argv.slice(2), { out: process.stdout, err: process.stderr, input: process.stdin, now: () => new Date(), sign }).then(
  (code) => {
    process.exitCode = code;
  },
  (reason: unknown) => {
    process.stderr.write(`${reason instanceof Error ? reason.message : String(reason)}\n`);
    process.exitCode = reason instanceof Usage ? 2 : 1;
  },
);
