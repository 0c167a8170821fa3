import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readCatalogue } from './catalogue.ts';
import { checkCatalogue } from './check.ts';

const catalogue = readCatalogue();

test('the shipped catalogue passes every check and contains the tools that scammers ask for', () => {
  expect(checkCatalogue(catalogue)).toEqual([]);
  expect(catalogue.filter((d) => d.category === 'RemoteControl').length).toBeGreaterThanOrEqual(30);
  const identifiers = catalogue.map((d) => d.identifier);
  for (const id of ['anydesk', 'teamviewer', 'ultraviewer', 'rustdesk', 'screenconnect', 'quick-assist', 'chrome-remote-desktop'])
    expect(identifiers).toContain(id);
});

test('every definition has its own help texts: what it is and what to do', () => {
  expect(new Set(catalogue.map((d) => d.help.what_it_is)).size).toBe(catalogue.length);
});

test.each([
  ['{"identifier":"x"', 'not JSON'],
  [JSON.stringify({ ...catalogue[0], identifier: 'other' }), 'identifier'],
  [JSON.stringify({ ...catalogue[0], identifier: 'bad', category: 'Nothing' }), 'category'],
  [JSON.stringify({ ...catalogue[0], identifier: 'bad', sources: [] }), 'sources'],
  [JSON.stringify({ ...catalogue[0], identifier: 'bad', signerz: ['x'] }), 'signerz'],
])('the error for a malformed definition file names the file and the field (case %#)', async (content, field) => {
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
])('the check of definitions refuses %s', (_what, change) => {
  const [firstDefinition] = catalogue;
  if (!firstDefinition) throw new Error('the catalogue is empty');
  expect(checkCatalogue([{ ...firstDefinition, ...change } as typeof firstDefinition])).not.toEqual([]);
});

test('the check of definitions refuses a program in two definitions, and a definition that occurs twice', () => {
  const [firstDefinition] = catalogue;
  if (!firstDefinition) throw new Error('the catalogue is empty');
  expect(checkCatalogue([firstDefinition, firstDefinition])).not.toEqual([]);
  expect(checkCatalogue([firstDefinition, { ...firstDefinition, identifier: 'another' }])).not.toEqual([]);
});
