import { expect, test } from 'vitest';
import { checkCatalogue } from './check.ts';
import { definition } from './format.ts';
import { family } from './testing/families.ts';

const named = { names: [{ os: 'windows' as const, name: 'AcmeControl.exe' }] };
const site = { category: 'ScamWebsite' as const };

test('a family with one distinctive mark and nothing else is right', () => {
  expect(checkCatalogue([family('acme', { programs: named })])).toEqual([]);
  expect(checkCatalogue([family('acme', { programs: named, domains: ['acme.example'] })])).toEqual([]);
  expect(checkCatalogue([family('shop', { ...site, site_patterns: ['**.anydesk-support*.com'] })])).toEqual([]);
});

test.each<[string, Parameters<typeof family>[1], RegExp]>([
  ['nothing to be known by', { programs: { products: ['Acme'] } }, /can never match/],
  ['a giant’s signature and nothing else', { programs: { broad_signers: ['Giant'] } }, /can never match/],
  [
    'a generic name taken for a distinctive one',
    { programs: { names: [{ os: 'windows', name: 'Setup.exe' }] } },
    /put it under generic_names/,
  ],
  ['a name that is too short', { programs: { names: [{ os: 'windows', name: 'dd.exe' }] } }, /too short/],
  ['a name in both strengths', { programs: { ...named, generic_names: named.names } }, /both distinctive and generic/],
  ['a name with a wildcard', { programs: { names: [{ os: 'windows', name: 'acme-*.exe' }] } }, /no wildcard/],
  ['a path for a name', { programs: { ...named, generic_names: [{ os: 'windows', name: 'bin\\acme.exe' }] } }, /no path/],
  ['a common original name', { programs: { ...named, original_names: ['SETUP.EXE.MUI'] } }, /for its original name/],
  ['an original name with a wildcard', { programs: { ...named, original_names: ['acme*.exe'] } }, /original name acme/],
  ['a common product', { programs: { ...named, products: ['Remote Desktop'] } }, /harmless programs are called so too/],
  ['a signer of half the world', { programs: { ...named, signers: ['MICROSOFT CORPORATION.'] } }, /use broad_signers/],
  [
    'a signer in both strengths',
    { programs: { ...named, signers: ['Acme Ltd'], broad_signers: ['Acme, Ltd.'] } },
    /under signers and under broad_signers/,
  ],
  ['a team of half the world', { programs: { ...named, team_ids: ['UBF8T346G9'] } }, /use bundle_ids/],
  ['something that is no team', { programs: { ...named, team_ids: ['acme'] } }, /ten capital letters/],
  ['a bundle with a wildcard', { programs: { ...named, bundle_ids: ['com.acme.*'] } }, /no wildcard/],
  ['a bundle of Apple’s', { programs: { ...named, bundle_ids: ['com.apple.acme'] } }, /Apple's own/],

  ['a folder of everyone', { programs: { ...named, paths: [{ os: 'windows', path: 'Program Files (x86)' }] } }, /the product's own folder/],
  ['a folder of the system', { programs: { ...named, paths: [{ os: 'windows', path: 'Windows/System32' }] } }, /the product's own folder/],
  ['a folder with its drive', { programs: { ...named, paths: [{ os: 'windows', path: 'C:/Acme' }] } }, /without drive/],
  ['a folder with a wildcard', { programs: { ...named, paths: [{ os: 'windows', path: 'Users/*/Acme' }] } }, /without drive/],
  ['a service of the system', { programs: named, services: [{ os: 'windows', name: 'TermService' }] }, /belongs to the system/],
  ['a service with a path', { programs: named, services: [{ os: 'linux', name: '/etc/acme' }] }, /no path and no wildcard/],

  ['a host with capitals', { programs: named, domains: ['Acme.example'] }, /not a plain lower-case host/],
  ['a public suffix', { programs: named, domains: ['co.uk'] }, /belong to different owners/],
  ['a host of many', { programs: named, domains: ['github.io'] }, /belong to different owners/],
  ['a host that too much needs', { programs: named, domains: ['microsoft.com'] }, /harmless depends on it/],
  ['a rented host', { programs: named, domains: ['acme.s3.amazonaws.com'] }, /rented/],
  ['a pattern of a program', { programs: named, site_patterns: ['**.acmecontrol*.com'] }, /only families of scam sites/],
  ['a pattern of few letters', { ...site, site_patterns: ['**.bank*.com'] }, /letters/],
  ['a pattern that a known host fits', { ...site, site_patterns: ['**.windowsup*.com'] }, /which windowsupdate.com fits too/],
  ['a pattern without a star', { ...site, site_patterns: ['anydesk-support.com'] }, /has no star/],
  ['a site with facts of programs', { ...site, programs: named, domains: ['acme.example'] }, /belongs to a family of programs/],
  ['a site without a host', { ...site }, /neither a domain nor a pattern/],

  ['its own name as a sibling’s', { programs: named, not: { names: named.names } }, /keep one/],
  ['its own product as a sibling’s', { programs: { ...named, products: ['Acme'] }, not: { products: ['ACME'] } }, /keep one/],
  ['a sibling’s name that hides everything', { programs: named, not: { names: [{ os: 'windows', name: 'svchost.exe' }] } }, /let through/],

  [
    'words that people do not use',
    { programs: named, help: { what_it_is: 'An RMM agent with an API.', what_to_do: 'Hang up the phone right now.' } },
    /plain words/,
  ],
  [
    'a blank that nobody fills in',
    { programs: named, help: { what_it_is: '{name} of {vendor} sees the screen.', what_to_do: 'Hang up the phone right now.' } },
    /\{vendor\}/,
  ],
  [
    'a fact without a source',
    { programs: { ...named, products: ['Acme'] }, sources: [{ name: 'x', facts: ['names'] }] },
    /has products that no source/,
  ],
  ['a source of nothing', { programs: named, sources: [{ name: 'x', facts: ['names', 'sha256'] }] }, /vouches for sha256/],
  [
    'a part of the system that nobody could allow',
    { programs: named, part_of_system: true, allowlistable: false },
    /make it allowlistable/,
  ],
  ['a cleaner that comes with the system', { programs: named, category: 'DeceptiveUtility', part_of_system: true }, /part_of_system/],
])('the check refuses %s', (_what, change, says) => {
  const problems = checkCatalogue([family('acme', change)]);
  expect(problems.join('\n')).toMatch(says);
  for (const problem of problems) expect(problem).toMatch(/^acme .+\.$/);
});

test.each<[string, Parameters<typeof family>[1]]>([
  ['a distinctive name', { programs: { names: [{ os: 'windows', name: 'SAME.EXE' }] } }],
  ['a signer, in another legal form', { programs: { ...named, signers: ['Sameness Ltd'] } }],
  ['a domain', { programs: named, domains: ['same.example'] }],
  ['a folder', { programs: { ...named, paths: [{ os: 'windows', path: 'Program Files/Same' }] } }],
  ['a service', { programs: named, services: [{ os: 'windows', name: 'SameSvc' }] }],
])('the check refuses %s in two families', (_what, change) => {
  const other = {
    programs: {
      names: [{ os: 'windows' as const, name: 'same.exe' }],
      signers: ['Sameness GmbH'],
      paths: [{ os: 'windows' as const, path: 'Program Files (x86)/same' }],
    },
    domains: ['same.example'],
    services: [{ os: 'windows' as const, name: 'samesvc' }],
  };
  expect(checkCatalogue([family('acme', change), family('other', other)])).toEqual([expect.stringMatching(/belongs to acme and other/)]);
});

test('the check refuses a text that only the name tells from another one’s', () => {
  const told = (identifier: string, name: string) =>
    definition.parse({
      ...family(identifier, { programs: { names: [{ os: 'windows', name: `${identifier}.exe` }] } }),
      name,
      help: { what_it_is: `${name} lets a stranger see this computer.`, what_to_do: 'Hang up the phone right now.' },
    });
  expect(checkCatalogue([told('acme', 'Acme'), told('other', 'Other One')])).toEqual([
    expect.stringMatching(/acme and other are is said|same words/),
  ]);
});
