import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readCatalogue } from './catalogue.ts';
import { checkCatalogue } from './check.ts';
import { compileSet, matchProgram } from './match.ts';

const catalogue = readCatalogue();

test('the catalogue keeps every rule, and has the tools that scammers ask for', () => {
  expect(checkCatalogue(catalogue)).toEqual([]);
  expect(catalogue.filter((d) => d.category === 'RemoteControl').length).toBeGreaterThanOrEqual(30);
  const known = catalogue.map((d) => d.identifier);
  for (const id of ['anydesk', 'teamviewer', 'ultraviewer', 'rustdesk', 'screenconnect', 'quick-assist', 'chrome-remote-desktop'])
    expect(known).toContain(id);
});

test('every family says in words of its own what it is, and what to do', () => {
  expect(new Set(catalogue.map((d) => d.help.what_it_is)).size).toBe(catalogue.length);
});

test.each([
  ['{"identifier":"x"', 'not JSON'],
  [JSON.stringify({ ...catalogue[0], identifier: 'other' }), 'identifier'],
  [JSON.stringify({ ...catalogue[0], identifier: 'bad', category: 'Nothing' }), 'category'],
  [JSON.stringify({ ...catalogue[0], identifier: 'bad', sources: [] }), 'sources'],
  [JSON.stringify({ ...catalogue[0], identifier: 'bad', signerz: ['x'] }), 'signerz'],
])('a file that is not as the format says is named, with the field: %#', async (content, field) => {
  const folder = await mkdtemp(join(tmpdir(), 'porchlight-catalogue-'));
  await writeFile(join(folder, 'bad.json'), content);
  expect(() => readCatalogue(folder)).toThrow(new RegExp(`bad\\.json.*${field}`));
  await rm(folder, { recursive: true });
});

test.each([
  [
    'a generic name taken for a distinctive one',
    { programs: { ...catalogue[0]?.programs, names: [{ os: 'windows', name: 'setup.exe' }] } },
  ],
  ['a host that others use too', { domains: ['github.io'] }],
  [
    'words that people do not use',
    { help: { what_it_is: 'This token is invalid for the API call.', what_to_do: 'Hang up the phone right now please.' } },
  ],
])('the check refuses %s', (_what, change) => {
  const [first] = catalogue;
  if (!first) throw new Error('the catalogue is empty');
  expect(checkCatalogue([{ ...first, ...change } as typeof first])).not.toEqual([]);
});

test('the check refuses the same program in two families, and one family twice', () => {
  const [first] = catalogue;
  if (!first) throw new Error('the catalogue is empty');
  expect(checkCatalogue([first, first])).not.toEqual([]);
  expect(checkCatalogue([first, { ...first, identifier: 'another' }])).not.toEqual([]);
});

const data = ['../../shared/data', '../../../shared/data']
  .map((up) => new URL(`${up}/benign-processes.tsv`, import.meta.url))
  .find((url) => existsSync(url));
if (!data) console.log('skipped: the list of harmless programs does not lie beside the repository');

test.skipIf(!data)('of well-known harmless programs none is taken for a threat (skipped where their list is not there)', () => {
  const set = compileSet({ version: 1, issued: '2026-01-01T00:00:00.000Z', definitions: catalogue });
  const [head = [], ...rows] = readFileSync(data ?? '', 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split('\t'));
  const column = (row: string[], name: string) => row[head.indexOf(name)]?.trim() || undefined;
  const wrong = rows.flatMap((row) => {
    const os = column(row, 'os') === 'macos' ? 'macos' : 'windows';
    const signed = column(row, 'signer_or_teamid')?.replace(/^TeamID /, '');
    const parts = {
      original_name: column(row, 'original_filename'),
      product: column(row, 'product'),
      company: column(row, 'company'),
      [os === 'macos' ? 'team_id' : 'signer']: signed,
    };
    const known = Object.fromEntries(Object.entries(parts).filter(([, value]) => value));
    const match = matchProgram({ os, name: column(row, 'name') ?? '', ...known }, set);
    return match ? [`${row.join(' | ')} → ${match.identifier}`] : [];
  });
  expect(rows.length).toBeGreaterThan(9000);
  expect(wrong).toEqual([]);
});
