import { Readable, Writable } from 'node:stream';
import { runCommand } from '../cli/commands.ts';

export async function runTyped(
  args: string[],
  input = '',
  now = new Date('2026-11-21T12:00:00.000Z'),
): Promise<{ code: number; output: string; lines: string[] }> {
  let output = '';
  const out = new Writable({
    write(chunk, _encoding, done) {
      output += String(chunk);
      done();
    },
  });
  const code = await runCommand(args, {
    out,
    input: Readable.from([Buffer.from(input)]),
    now: () => now,
  });
  return { code, output, lines: output.split('\n').slice(0, -1) };
}
