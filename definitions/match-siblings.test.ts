import { expect, test } from 'vitest';
import type { ProgramSeen } from './format.ts';
import { compileSet, matchProgram } from './match.ts';
import { definitionWith } from './testing/definition-with.ts';

const control = definitionWith('acme-control', {
  programs: {
    names: [{ os: 'windows', name: 'AcmeControl.exe' }],
    generic_names: [{ os: 'windows', name: 'acme-helper.exe' }],
    original_names: ['AcmeControl.exe', 'acme-helper.exe'],
    products: ['Acme Control'],
    companies: ['Acme Software'],
    signers: ['Acme Software GmbH'],
    bundle_ids: ['com.acme.control'],
    team_ids: ['ACMEACME01'],
    paths: [
      { os: 'windows', path: 'Program Files/Acme/Control' },
      { os: 'windows', path: 'AppData/Roaming/Acme Control' },
      { os: 'windows', path: 'Program Files/Acme Client' },
      { os: 'macos', path: 'Applications/Acme Control.app' },
      { os: 'linux', path: 'opt/acme-control' },
    ],
  },
  not: { names: [{ os: 'windows', name: 'AcmeBackup.exe' }], products: ['Acme Backup'], bundle_ids: ['com.acme.backup'] },
});
const broad = definitionWith('giant-remote', {
  programs: {
    names: [{ os: 'windows', name: 'GiantRemote.exe' }],
    generic_names: [{ os: 'windows', name: 'host.exe' }],
    broad_signers: ['Giant Inc'],
  },
});
const set = compileSet({ version: 1, issued: '2026-01-01T00:00:00.000Z', definitions: [control, broad] });
const windows = (name: string, facts: Partial<ProgramSeen> = {}): ProgramSeen => ({ os: 'windows', name, ...facts });

test.each<[string, ProgramSeen, string | null]>([
  ['a sibling by its product, signed by the same vendor', windows('x.exe', { product: 'Acme Backup', signer: 'Acme Software GmbH' }), null],
  ['a sibling by its file name', windows('AcmeBackup.exe', { signer: 'Acme Software GmbH', company: 'Acme Software' }), null],
  [
    'the tool renamed to its sibling, which its original name tells',
    windows('AcmeBackup.exe', { original_name: 'AcmeControl.exe', company: 'Acme Software', signer: 'Acme Software GmbH' }),
    'acme-control certain',
  ],
  [
    'a sibling that was given the tool’s name',
    windows('AcmeControl.exe', { product: 'Acme Backup', company: 'Acme Software', signer: 'Acme Software GmbH' }),
    null,
  ],
  ['a sibling by its bundle', { os: 'macos', name: 'x', bundle_id: 'com.acme.backup', team_id: 'ACMEACME01' }, null],
  [
    'the bundle itself, whatever the product says',
    { os: 'macos', name: 'x', bundle_id: 'com.acme.control', product: 'Acme Backup' },
    'acme-control certain',
  ],

  ['an original name that others have too, alone', windows('x.exe', { original_name: 'acme-helper.exe' }), null],
  ['the same with the maker', windows('x.exe', { original_name: 'acme-helper.exe', company: 'Acme Software' }), 'acme-control certain'],

  ['a folder alone', windows('x.exe', { path: 'C:\\Program Files\\Acme\\Control\\x.exe' }), null],
  [
    'folder and product',
    windows('x.exe', { path: 'D:\\PROGRAM FILES (X86)\\acme\\control\\sub\\x.exe', product: 'Acme Control' }),
    'acme-control certain',
  ],
  [
    'folder and a generic name',
    windows('acme-helper.exe', { path: 'C:/Program Files/Acme/Control/acme-helper.exe' }),
    'acme-control certain',
  ],
  ['a folder that only begins so', windows('acme-helper.exe', { path: 'C:\\Program Files\\Acme\\ControlPanel\\acme-helper.exe' }), null],
  [
    'a folder in a person’s own',
    windows('acme-helper.exe', { path: 'C:\\Users\\Mum\\AppData\\Roaming\\Acme Control\\acme-helper.exe' }),
    'acme-control certain',
  ],
  [
    'a folder with the number of one installation',
    windows('acme-helper.exe', { path: '\\\\?\\C:\\Program Files (x86)\\Acme Client (1f3c9a2b77d01e55)\\acme-helper.exe' }),
    'acme-control certain',
  ],
  [
    'a folder of another system',
    { os: 'linux', name: 'acme-helper', path: '/Applications/Acme Control.app/Contents/acme-helper', product: 'Acme Control' },
    'acme-control likely',
  ],
  [
    'a bundle’s folder',
    { os: 'macos', name: 'x', path: '/Applications/Acme Control.app/Contents/MacOS/x', product: 'Acme Control' },
    'acme-control certain',
  ],
  [
    'folder and name, but another maker’s program lies there',
    windows('AcmeControl.exe', { path: 'C:\\Program Files\\Acme\\Control\\AcmeControl.exe', company: 'Other Ltd', signer: 'Other Ltd' }),
    'acme-control likely',
  ],

  ['a generic name from a giant', windows('host.exe', { signer: 'Giant Inc.' }), null],
  ['a distinctive name from a giant', windows('GiantRemote.exe', { signer: 'Giant, Inc.' }), 'giant-remote certain'],
  [
    'another program of the giant that was renamed',
    windows('GiantRemote.exe', { signer: 'Giant Inc', original_name: 'GiantPaint.exe' }),
    'giant-remote likely',
  ],
])('programs of a vendor with several products match only their own definition: %s', (_what, seenProgram, expected) => {
  const match = matchProgram(seenProgram, set);
  expect(match && `${match.identifier} ${match.certainty}`).toBe(expected);
});

test('a match lists each matching fact once', () => {
  const seenProgram = windows('AcmeControl.exe', {
    path: 'C:\\Program Files\\Acme\\Control\\AcmeControl.exe',
    company: 'ACME SOFTWARE',
    product: 'Acme Control',
  });
  expect(matchProgram(seenProgram, set)?.why).toEqual([
    'name=acmecontrol.exe',
    'product=acme control',
    'company=acme software',
    'path=program files/acme/control',
  ]);
});
