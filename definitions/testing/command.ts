import { readFileSync } from 'node:fs';
import { Readable, Writable } from 'node:stream';
import { runCommand } from '../cli/commands.ts';
import { signDocument } from '../signature.ts';

/** Runs a command as it is typed and gives all that it said. Time stands still. Fails as the command does. */
export async function typed(args: string[], input = ''): Promise<{ code: number; said: string; lines: string[] }> {
  let said = '';
  const out = new Writable({
    write(chunk, _encoding, done) {
      said += String(chunk);
      done();
    },
  });
  const code = await runCommand(args, {
    out,
    err: out,
    input: Readable.from([Buffer.from(input)]),
    now: () => new Date('2026-11-21T12:00:00.000Z'),
    sign: (payload, file) => signDocument(payload, JSON.parse(readFileSync(file, 'utf8'))),
  });
  return { code, said, lines: said.split('\n').slice(0, -1) };
}
