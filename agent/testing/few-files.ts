import { closeSync, openSync } from 'node:fs';
import { watchProc } from '../os/linux/watch.ts';

/**
 * A process that watches programs, and prints each path. Each line of its input makes it take all descriptors that it may have, or give them
 * back.
 */
const taken: number[] = [];
watchProc(
  20,
  (processes) => {
    for (const { path } of processes) process.stdout.write(`${path}\n`);
  },
  null,
);
process.stdin.on('data', () => {
  if (taken.length) for (const file of taken.splice(0)) closeSync(file);
  else {
    try {
      for (;;) taken.push(openSync('/dev/null', 'r'));
    } catch {
      process.stdout.write('nothing is left\n');
    }
  }
});
