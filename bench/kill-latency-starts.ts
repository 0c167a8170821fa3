import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

/** Not a divisor of a second, so that starts fall on all phases of a poll. */
const INTERVAL_MS = 97;

/**
 * Starts `file` at fixed times, whether or not the earlier ones have ended: otherwise a late end would hide that later programs run longer too.
 * Returns milliseconds from each intended start to the end. A program that nobody ends exits after 20 s.
 */
export async function lifetimesOf(file: string, count: number): Promise<number[]> {
  // One small shell starts all programs: forking this large process would take longer than ending the program.
  const loop = 'while read -r n; do { "$0" 20; echo "$n"; } & done; wait';
  const shell = spawn('/bin/sh', ['-c', loop, file], { stdio: ['pipe', 'pipe', 'ignore'] });
  const beganAt = performance.now();
  const intendedAt = (n: number) => beganAt + (n + 1) * INTERVAL_MS;
  const lifetimes: number[] = [];
  const ended = new Promise((resolve) => shell.once('close', resolve));
  shell.stdout.setEncoding('utf8').on('data', (lines: string) => {
    const now = performance.now();
    for (const line of lines.split('\n').filter(Boolean)) lifetimes.push(now - intendedAt(Number(line)));
  });
  for (let n = 0; n < count; n++) {
    await sleep(Math.max(0, intendedAt(n) - performance.now()));
    shell.stdin.write(`${n}\n`);
  }
  shell.stdin.end();
  await ended;
  if (lifetimes.length !== count) throw new Error(`Of ${count} started programs ${lifetimes.length} have ended.`);
  return lifetimes;
}
