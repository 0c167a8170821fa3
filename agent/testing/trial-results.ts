import { spawn } from 'node:child_process';
import { expect } from 'vitest';

/** Runs a trial in namespaces of its own, which must succeed. Returns what it printed, as lines of JSON with `what` and `value`. */
export async function trialResults([program = '', ...args]: string[], env = process.env): Promise<Record<string, unknown>> {
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  expect(await new Promise((resolve) => child.once('close', resolve)), output).toBe(0);
  const lines = output.split('\n').filter((line) => line.startsWith('{'));
  return Object.fromEntries(
    lines.map((line) => JSON.parse(line) as { what: string; value: unknown }).map(({ what, value }) => [what, value]),
  );
}
