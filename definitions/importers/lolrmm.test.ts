import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readCatalogue } from '../catalogue.ts';
import { runTyped } from '../testing/command.ts';
import { definitionWith } from '../testing/definition-with.ts';
import { importLolrmm } from './lolrmm.ts';

const acme = `
Name: Acme Control (Giant)
Category: RMM
Details:
  PEMetadata:
    - {Filename: acme.control.exe, OriginalFileName: AcmeControl.exe, Product: Acme Control}
    - {Filename: '', OriginalFileName: setup.exe, Product: Remote Desktop}
  InstallationPaths:
    - C:\\Program Files (x86)\\Acme Control\\*
    - C:\\Program Files (x86)\\Acme Control\\AcmeControl.exe
    - C:\\Windows\\System32\\acmedrv.exe
    - '%APPDATA%\\Acme'
    - C:\\Users\\*\\AppData\\Local\\Acme\\acme-*.exe
    - /Applications/Acme Control.app
    - helper.exe
Artifacts:
  EventLog:
    - {EventID: 7045, ServiceName: AcmeSvc, ImagePath: '"C:\\Program Files\\Acme Control\\AcmeService.exe" -s'}
  Registry:
    - {Path: 'HKLM\\SYSTEM\\CurrentControlSet\\Services\\AcmeTwo'}
  Network:
    - Domains: ['*.acme.example', relay.acme.example, 'relay-[0-9]{3}.acme.example', github.com, acme-control.example:443, user_managed]
CodeSigning:
  certificates:
    - {signer_name: 'Acme, Inc.', src_file_company: Acme Software}
    - {signer_name: Microsoft Corporation, src_file_company: ' '}
`;
const { drafts, report } = importLolrmm([{ file: 'acme.yaml', text: acme }], [], 'LOLRMM test');
const [draft] = drafts;

test('a draft of an imported definition contains each fact with the strength that the check allows', () => {
  expect(draft).toMatchObject({ identifier: 'acme-control-giant', name: 'Acme Control (Giant)', category: 'RemoteControl' });
  const { programs } = draft ?? {};
  expect(programs?.names.map(({ os, name }) => `${os} ${name}`)).toEqual([
    'windows AcmeControl.exe',
    'windows acmedrv.exe',
    'macos Acme Control',
    'windows AcmeService.exe',
    'windows acme.control.exe',
  ]);
  expect(programs?.generic_names).toEqual([{ os: 'windows', name: 'helper.exe' }]);
  expect(programs?.original_names).toEqual(['AcmeControl.exe']);
  expect(programs?.products).toEqual(['Acme Control']);
  expect(programs?.signers).toEqual(['Acme, Inc.']);
  expect(programs?.broad_signers).toEqual(['Microsoft Corporation']);
  expect(programs?.companies).toEqual(['Acme Software']);
  expect(programs?.paths.map(({ os, path }) => `${os} ${path}`)).toEqual([
    'windows Program Files/Acme Control',
    'windows AppData/Roaming/Acme',
    'windows AppData/Local/Acme',
    'macos Applications/Acme Control.app',
  ]);
  expect(draft?.services.map(({ name }) => name)).toEqual(['AcmeSvc', 'AcmeTwo']);
  expect(draft?.domains).toEqual(['acme-control.example', 'acme.example']);
  expect(draft?.sources).toEqual([{ name: 'LOLRMM test', facts: expect.arrayContaining(['names', 'signers', 'domains', 'services']) }]);
});

test('the import report lists values that were left out of the draft, with the reason', () => {
  const leftOutText = report.new[0]?.left_out.join('\n') ?? '';
  for (const expected of [
    /acme-\*\.exe: .*wildcard/,
    /github\.com: .*harmless/,
    /relay-\[.*pattern/,
    /setup\.exe: /,
    /Remote Desktop: /,
    /System32.*others lie/,
    /user_managed: /,
  ])
    expect(leftOutText).toMatch(expected);
});

test('importing recognises an existing definition by its name or a mark and reports only the missing facts', () => {
  const knownDefinition = (identifier: string, name: string) => ({
    ...definitionWith(identifier, { programs: { names: [{ os: 'windows', name: 'ACMECONTROL.EXE' }], signers: ['Acme'] } }),
    name,
  });
  for (const catalogue of [[knownDefinition('other', 'Acme Control (Giant)')], [knownDefinition('other', 'Other')]]) {
    const { report: importReport } = importLolrmm([{ file: 'acme.yaml', text: acme }], catalogue, 'x');
    expect(importReport.new).toEqual([]);
    expect(importReport.changed[0]).toMatchObject({
      identifier: 'other',
      lacks: expect.arrayContaining(['company: acme software', 'domain: acme.example']),
    });
    expect(importReport.changed[0]?.lacks).not.toContain('name: windows acmecontrol');
  }
  const repeatedImport = importLolrmm(
    [{ file: 'a.yaml', text: 'Name: Small\nDetails: {InstallationPaths: [small-tool.exe]}' }],
    [definitionWith('small', { programs: { names: [{ os: 'windows', name: 'Small-Tool.exe' }] } })],
    'x',
  );
  expect([repeatedImport.drafts.length, repeatedImport.report.same.length]).toEqual([0, 1]);
});

test.each([
  ['no YAML', '{', /not YAML/],
  ['a text', 'hello', /not a tool/],
  ['nothing', '', /not a tool/],
  ['no name', 'Category: RMM', /no Name/],
  ['a name of signs', 'Name: "???"', /no identifier/],
  ['only what others have', 'Name: X\nDetails: {InstallationPaths: [setup.exe]}', /neither a strong mark/],
  ['a file that would fill the memory', 'a: &a [x]\nb: [*a, *a]\nName: X', /not YAML/],
])('importing refuses a LOLRMM file with %s, with the reason', (_what, text, reason) => {
  expect(importLolrmm([{ file: 'x.yaml', text }], [], 'x').report.refused).toEqual([
    { file: 'x.yaml', why: expect.stringMatching(reason) },
  ]);
});

test('importing LOLRMM files refuses a product name the second time it occurs', () => {
  const { report: importReport } = importLolrmm(
    [
      { file: 'a.yaml', text: acme },
      { file: 'b.yaml', text: acme },
    ],
    [],
    'x',
  );
  expect(importReport.refused).toEqual([{ file: 'b.yaml', why: expect.stringMatching(/as another file is/) }]);
});

test('importing any LOLRMM file ends with a draft or a reason', () => {
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 4 },
      fc.string(),
      fc.integer(),
      fc.constant(null),
      fc.array(tie('any')),
      fc.dictionary(
        fc.constantFrom(
          'Name',
          'Details',
          'PEMetadata',
          'Artifacts',
          'Network',
          'Domains',
          'CodeSigning',
          'certificates',
          'InstallationPaths',
        ),
        tie('any'),
      ),
    ),
  })).any;
  fc.assert(
    fc.property(
      fc.oneof(
        value.map((one) => JSON.stringify(one)),
        fc.string(),
      ),
      (text) => {
        const { drafts: madeDrafts, report: importReport } = importLolrmm([{ file: 'x', text }], [], 'x');
        expect(madeDrafts.length + importReport.refused.length).toBe(1);
      },
    ),
    { numRuns: 300 },
  );
});

test('the import command writes drafts and a report; a draft is no valid catalogue file until a person has written its help', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'porchlight-lolrmm-'));
  writeFileSync(join(folder, 'acme.yaml'), acme);
  const out = join(folder, 'drafts');
  const { code, output } = await runTyped(['import', 'lolrmm', folder, '--out', out, '--version', 'test']);
  expect([code, output.split('\n')[0]]).toEqual([0, expect.stringMatching(/^1 new, 0 with facts/)]);
  expect(readdirSync(out).sort()).toEqual(['acme-control-giant.json', 'report.json']);
  expect(JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')).new[0].file).toBe('acme.yaml');
  rmSync(join(out, 'report.json'));
  expect(() => readCatalogue(out)).toThrow(/help/);
  rmSync(folder, { recursive: true });
});
