import { Usage } from './command-line.ts';
import { runCommand } from './commands.ts';

// Whoever reads the answers may have seen enough, as `| head` has.
process.stdout.on('error', (reason: NodeJS.ErrnoException) => process.exit(reason.code === 'EPIPE' ? 0 : 1));

/** `npm run -s definitions -- <words>`: the catalogue in the hands of an operator. 0 done, 2 typed wrong, 1 something is wrong. */
runCommand(process.argv.slice(2), { out: process.stdout, err: process.stderr, input: process.stdin, now: () => new Date() }).then(
  (code) => {
    process.exitCode = code;
  },
  (reason: unknown) => {
    process.stderr.write(`${reason instanceof Error ? reason.message : String(reason)}\n`);
    process.exitCode = reason instanceof Usage ? 2 : 1;
  },
);
