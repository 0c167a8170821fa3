import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { Usage } from './command-line.ts';
import { runCommand } from './commands.ts';

const streams = () => ({ out: new PassThrough(), input: new PassThrough(), now: () => new Date('2026-11-30T12:00:00Z') });

test('[P16.2] the command makes the table of look-alike letters from the file of Unicode, with its version and licence', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'skeletons-'));
  const [source, target] = [join(folder, 'confusables.txt'), join(folder, 'table.json')];
  writeFileSync(source, '# Version: 17.0.0\n0430 ;\t0061 ;\tMA\t# ( а → a )\n');
  expect(await runCommand(['skeletons', source, '--out', target], streams())).toBe(0);
  const table = JSON.parse(readFileSync(target, 'utf8'));
  expect(table).toMatchObject({ source: { licence: 'Unicode-3.0' }, skeletons: { a: 'а' } });
  expect(table.source.name).toContain('17.0.0');
});

test.each([[['skeletons']], [['skeletons', 'a.txt']], [['skeletons', 'a.txt', 'b.txt', '--out', 'c.json']]])(
  'the command refuses %j and says how it is typed',
  async (typed) => {
    await expect(runCommand(typed, streams())).rejects.toThrow(Usage);
  },
);
