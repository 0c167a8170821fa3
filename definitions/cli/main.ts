import { Usage } from './command-line.ts';
import { runCommand } from './commands.ts';

// The reader may close the pipe early, as `| head` does.
process.stdout.on('error', (reason: NodeJS.ErrnoException) => process.exit(reason.code === 'EPIPE' ? 0 : 1));

/** `npm run -s definitions -- <words>`. Exit codes: 0 done, 1 failure, 2 wrong arguments. */
runCommand(process.argv.slice(2), { out: process.stdout, input: process.stdin, now: () => new Date() }).then(
  (code) => {
    process.exitCode = code;
  },
  (reason: unknown) => {
    process.stderr.write(`${reason instanceof Error ? reason.message : String(reason)}\n`);
    process.exitCode = reason instanceof Usage ? 2 : 1;
  },
);
