import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../testing/agent.ts';
import type { Attributes } from './attributes.ts';
import { fileMarks } from './marks.ts';
import type { OpenFile } from './open-file.ts';

const file = (n: number): OpenFile => ({ descriptor: -1, path: `/${n}`, id: `1:${n}:5`, uid: 1000, born: 0, is_root_only: false });
const failed = (why: unknown) => {
  throw why;
};

it('at most 10,000 marks are stored, and the oldest are removed first', async () => {
  const stateFile = join(await temporaryFolder(), 'origins.json');
  const marks = fileMarks({ attributes: null, stateFile, failed });
  for (let n = 0; n < 10_001; n++) marks.add(file(n));
  await marks.saved();
  expect(JSON.parse(await readFile(stateFile, 'utf8'))).toHaveLength(10_000);
  const again = fileMarks({ attributes: null, stateFile, failed });
  expect(again.read(file(0))).toBeNull();
  expect(again.read(file(1))).toEqual({ from: 'internet', host: null });
  expect(again.read(file(10_000))).toEqual({ from: 'internet', host: null });
});

it('the address that a download program has set names the host, and marks the file as well', async () => {
  const addresses: Record<string, string> = { 'user.xdg.origin.url': 'https://download.example/a?token=1' };
  const attributes: Attributes = { get: (_file, name) => addresses[name] ?? null, set: () => true };
  const marks = fileMarks({ attributes, stateFile: join(await temporaryFolder(), 'origins.json'), failed });
  expect(marks.read(file(1))).toEqual({ from: 'internet', host: 'download.example' });
  addresses['user.xdg.origin.url'] = 'file:///home/mum/a';
  expect(marks.read(file(1))).toBeNull();
  addresses['trusted.porchlight.origin'] = 'internet';
  expect(marks.read(file(1))).toEqual({ from: 'internet', host: null });
});
