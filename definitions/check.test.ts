import { expect, test } from 'vitest';
import { checkCatalogue } from './check.ts';
import { definition } from './format.ts';
import { definitionWith } from './testing/definition-with.ts';

const programNames = { names: [{ os: 'windows' as const, name: 'AcmeControl.exe' }] };
const site = { category: 'ScamWebsite' as const };

test('the check of definitions accepts a definition with one distinctive mark and nothing else', () => {
  expect(checkCatalogue([definitionWith('acme', { programs: programNames })])).toEqual([]);
  expect(checkCatalogue([definitionWith('acme', { programs: programNames, domains: ['acme.example'] })])).toEqual([]);
  expect(checkCatalogue([definitionWith('shop', { ...site, site_patterns: ['**.anydesk-support*.com'] })])).toEqual([]);
});

test.each<[string, Parameters<typeof definitionWith>[1], RegExp]>([
  ['nothing to be known by', { programs: { products: ['Acme'] } }, /can never match/],
  ['a giant’s signature and nothing else', { programs: { broad_signers: ['Giant'] } }, /can never match/],
  [
    'a generic name taken for a distinctive one',
    { programs: { names: [{ os: 'windows', name: 'Setup.exe' }] } },
    /put it under generic_names/,
  ],
  ['a name that is too short', { programs: { names: [{ os: 'windows', name: 'dd.exe' }] } }, /too short/],
  ['a name in both strengths', { programs: { ...programNames, generic_names: programNames.names } }, /both distinctive and generic/],
  ['a name with a wildcard', { programs: { names: [{ os: 'windows', name: 'acme-*.exe' }] } }, /no wildcard/],
  ['a path for a name', { programs: { ...programNames, generic_names: [{ os: 'windows', name: 'bin\\acme.exe' }] } }, /no path/],
  ['a common original name', { programs: { ...programNames, original_names: ['SETUP.EXE.MUI'] } }, /for its original name/],
  ['an original name with a wildcard', { programs: { ...programNames, original_names: ['acme*.exe'] } }, /original name acme/],
  ['a common product', { programs: { ...programNames, products: ['Remote Desktop'] } }, /harmless programs are called so too/],
  ['a signer of half the world', { programs: { ...programNames, signers: ['MICROSOFT CORPORATION.'] } }, /use broad_signers/],
  [
    'a signer in both strengths',
    { programs: { ...programNames, signers: ['Acme Ltd'], broad_signers: ['Acme, Ltd.'] } },
    /under signers and under broad_signers/,
  ],
  ['a team of half the world', { programs: { ...programNames, team_ids: ['UBF8T346G9'] } }, /use bundle_ids/],
  ['something that is no team', { programs: { ...programNames, team_ids: ['acme'] } }, /ten capital letters/],
  ['a bundle with a wildcard', { programs: { ...programNames, bundle_ids: ['com.acme.*'] } }, /no wildcard/],
  ['a bundle of Apple’s', { programs: { ...programNames, bundle_ids: ['com.apple.acme'] } }, /Apple's own/],

  [
    'a folder of everyone',
    { programs: { ...programNames, paths: [{ os: 'windows', path: 'Program Files (x86)' }] } },
    /the product's own folder/,
  ],
  [
    'a folder of the system',
    { programs: { ...programNames, paths: [{ os: 'windows', path: 'Windows/System32' }] } },
    /the product's own folder/,
  ],
  ['a folder with its drive', { programs: { ...programNames, paths: [{ os: 'windows', path: 'C:/Acme' }] } }, /without drive/],
  ['a folder with a wildcard', { programs: { ...programNames, paths: [{ os: 'windows', path: 'Users/*/Acme' }] } }, /without drive/],
  ['a service of the system', { programs: programNames, services: [{ os: 'windows', name: 'TermService' }] }, /belongs to the system/],
  ['a service with a path', { programs: programNames, services: [{ os: 'linux', name: '/etc/acme' }] }, /no path and no wildcard/],

  ['a host with capitals', { programs: programNames, domains: ['Acme.example'] }, /not a plain lower-case host/],
  ['a public suffix', { programs: programNames, domains: ['co.uk'] }, /belong to different owners/],
  ['a host of many', { programs: programNames, domains: ['github.io'] }, /belong to different owners/],
  ['a host that too much needs', { programs: programNames, domains: ['microsoft.com'] }, /harmless depends on it/],
  ['a rented host', { programs: programNames, domains: ['acme.s3.amazonaws.com'] }, /rented/],
  ['a pattern of a program', { programs: programNames, site_patterns: ['**.acmecontrol*.com'] }, /only families of scam sites/],
  ['a pattern of few letters', { ...site, site_patterns: ['**.bank*.com'] }, /letters/],
  ['a pattern that a known host fits', { ...site, site_patterns: ['**.windowsup*.com'] }, /which windowsupdate.com fits too/],
  ['a pattern without a star', { ...site, site_patterns: ['anydesk-support.com'] }, /has no star/],
  ['a site with facts of programs', { ...site, programs: programNames, domains: ['acme.example'] }, /belongs to a family of programs/],
  ['a site without a host', { ...site }, /neither a domain nor a pattern/],

  ['its own name as a sibling’s', { programs: programNames, not: { names: programNames.names } }, /keep one/],
  ['its own product as a sibling’s', { programs: { ...programNames, products: ['Acme'] }, not: { products: ['ACME'] } }, /keep one/],
  [
    'a sibling’s name that hides everything',
    { programs: programNames, not: { names: [{ os: 'windows', name: 'svchost.exe' }] } },
    /let through/,
  ],

  [
    'words that people do not use',
    { programs: programNames, help: { what_it_is: 'An RMM agent with an API.', what_to_do: 'Hang up the phone right now.' } },
    /plain words/,
  ],
  [
    'a blank that nobody fills in',
    { programs: programNames, help: { what_it_is: '{name} of {vendor} sees the screen.', what_to_do: 'Hang up the phone right now.' } },
    /\{vendor\}/,
  ],
  [
    'a fact without a source',
    { programs: { ...programNames, products: ['Acme'] }, sources: [{ name: 'x', facts: ['names'] }] },
    /has products that no source/,
  ],
  [
    'a viewer that is not its own',
    { programs: programNames, outgoing: { original_names: ['other.exe'] } },
    /other\.exe only reaches other computers, and not that it is its own/,
  ],
  [
    'a viewer of a product in scams',
    {
      ...{ programs: { ...programNames, original_names: ['view.exe'] }, outgoing: { original_names: ['view.exe'] }, in_scams: true },
      sources: [{ name: 'x', facts: ['names', 'original_names', 'in_scams'] }],
    },
    /is used in scams and has programs that are not stopped/,
  ],
  ['in_scams without a source', { programs: programNames, in_scams: true }, /has in_scams that no source vouches for/],
  [
    'a source for in_scams that is not set',
    { programs: programNames, sources: [{ name: 'x', facts: ['names', 'in_scams'] }] },
    /vouches for in_scams, and there are none/,
  ],
  [
    'a part of the system in in_scams',
    { programs: programNames, part_of_system: true, in_scams: true, sources: [{ name: 'x', facts: ['names', 'in_scams'] }] },
    /people start themselves/,
  ],
  ['a source of an unknown field', { programs: programNames, sources: [{ name: 'x', facts: ['names', 'colour'] }] }, /vouches for colour/],
  ['a library with a wildcard', { programs: { libraries: [{ os: 'windows', name: 'lib*.dll' }] } }, /has the library lib\*\.dll/],
  [
    'a library outside the folder',
    { programs: { libraries: [{ os: 'windows', name: '../libexample.dll' }] } },
    /has the library \.\.\/lib/,
  ],
  ['a source of nothing', { programs: programNames, sources: [{ name: 'x', facts: ['names', 'sha256'] }] }, /vouches for sha256/],
  [
    'a part of the system that nobody could allow',
    { programs: programNames, part_of_system: true, allowlistable: false },
    /make it allowlistable/,
  ],
  [
    'a cleaner that comes with the system',
    { programs: programNames, category: 'DeceptiveUtility', part_of_system: true },
    /part_of_system/,
  ],
])('the check of definitions refuses %s', (_what, change, expectedProblem) => {
  const problems = checkCatalogue([definitionWith('acme', change)]);
  expect(problems.join('\n')).toMatch(expectedProblem);
  for (const problem of problems) expect(problem).toMatch(/^acme .+\.$/);
});

test.each<[string, Parameters<typeof definitionWith>[1]]>([
  ['a distinctive name', { programs: { names: [{ os: 'windows', name: 'SAME.EXE' }] } }],
  ['a signer, in another legal form', { programs: { ...programNames, signers: ['Sameness Ltd'] } }],
  ['a domain', { programs: programNames, domains: ['same.example'] }],
  ['a folder', { programs: { ...programNames, paths: [{ os: 'windows', path: 'Program Files/Same' }] } }],
  ['a service', { programs: programNames, services: [{ os: 'windows', name: 'SameSvc' }] }],
])('the check of definitions refuses %s in two definitions', (_what, change) => {
  const otherDefinition = {
    programs: {
      names: [{ os: 'windows' as const, name: 'same.exe' }],
      signers: ['Sameness GmbH'],
      paths: [{ os: 'windows' as const, path: 'Program Files (x86)/same' }],
    },
    domains: ['same.example'],
    services: [{ os: 'windows' as const, name: 'samesvc' }],
  };
  expect(checkCatalogue([definitionWith('acme', change), definitionWith('other', otherDefinition)])).toEqual([
    expect.stringMatching(/belongs to acme and other/),
  ]);
});

test('the check of definitions refuses a help text that differs from another help text only in the product name', () => {
  const withSameHelp = (identifier: string, name: string) =>
    definition.parse({
      ...definitionWith(identifier, { programs: { names: [{ os: 'windows', name: `${identifier}.exe` }] } }),
      name,
      help: { what_it_is: `${name} lets a stranger see this computer.`, what_to_do: 'Hang up the phone right now.' },
    });
  expect(checkCatalogue([withSameHelp('acme', 'Acme'), withSameHelp('other', 'Other One')])).toEqual([
    expect.stringMatching(/acme and other are is said|same words/),
  ]);
});
