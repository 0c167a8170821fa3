import { fixedPolicies, freePlan } from '@porchlight/contract/policies.ts';
import { expect, test } from 'vitest';
import { compileSet } from './match.ts';
import { decideRemoval } from './remove.ts';
import type { Decision, Listing, RemovalPolicy } from './remove-shapes.ts';
import { definitionWith } from './testing/definition-with.ts';

const now = new Date('2026-11-21T12:00:00.000Z');
const definitions = [
  definitionWith('acme-control', {
    programs: {
      names: [
        { os: 'windows', name: 'AcmeControl.exe' },
        { os: 'macos', name: 'Acme Control' },
      ],
      products: ['Acme Control'],
      companies: ['Acme Software'],
      signers: ['Acme Software'],
      bundle_ids: ['com.acme.control'],
      paths: [{ os: 'windows', path: 'Program Files/Acme Control' }],
    },
    services: [
      { os: 'windows', name: 'AcmeSvc' },
      { os: 'linux', name: 'acme-control.service' },
    ],
  }),
  definitionWith('fast-cleaner', {
    category: 'DeceptiveUtility',
    programs: { names: [{ os: 'windows', name: 'FastCleaner.exe' }], products: ['Fast Cleaner'], companies: ['Fast Co'] },
  }),
  definitionWith('wide-control', {
    programs: {
      names: [{ os: 'windows', name: 'wideview.exe' }],
      original_names: ['wideview.exe', 'wideserver.exe'],
      products: ['Wide Control', 'Wide Viewer'],
      companies: ['Wide Software'],
      bundle_ids: ['com.wide.viewer', 'com.wide.server'],
    },
    outgoing: { original_names: ['wideview.exe'], products: ['Wide Viewer'], bundle_ids: ['com.wide.viewer'] },
  }),
  definitionWith('helping-hand', {
    part_of_system: true,
    programs: { names: [{ os: 'windows', name: 'HelpingHand.exe' }], products: ['Helping Hand'] },
  }),
];
const set = compileSet({ version: 1, issued: now.toISOString(), definitions });
const strict: RemovalPolicy = { actions: fixedPolicies.strict.actions, block_likely: true, allow: [] };
const permissive: RemovalPolicy = { actions: fixedPolicies.permissive.actions, block_likely: false, allow: [] };
const freePolicy: RemovalPolicy = { ...freePlan, allow: [] };
const emptyListing: Listing = { os: 'windows', programs: [], services: [], start_up: [], downloads: [] };
const describeDecision = (decision: Decision | undefined) =>
  decision?.verdict === 'goes' ? `goes: ${decision.step}` : `stays: ${decision?.reason}`;
const firstDecision = (listing: Partial<Listing>, policy: RemovalPolicy = strict) =>
  describeDecision(decideRemoval({ ...emptyListing, ...listing }, policy, set, now)[0]);

test.each<[string, Partial<Listing>, string]>([
  [
    'a program by product and maker',
    { programs: [{ name: 'Acme Control 7.1 (64-bit)', publisher: 'Acme Software GmbH', version: '7.1' }] },
    'goes: uninstall',
  ],
  [
    'a program by product and folder',
    { programs: [{ name: 'Acme Control', path: 'C:\\Program Files (x86)\\Acme Control\\' }] },
    'goes: uninstall',
  ],
  [
    'a program of another version than it says',
    { programs: [{ name: 'Acme Control version 7.1.2', publisher: 'Acme Software', version: '7.1' }] },
    'goes: uninstall',
  ],
  ['a bundle', { os: 'macos', programs: [{ name: 'Anything', bundle_id: 'com.acme.control' }] }, 'goes: uninstall'],
  ['a program of that name, and nothing else known', { programs: [{ name: 'Acme Control' }] }, 'stays: no_match'],
  ['a program of that name by someone else', { programs: [{ name: 'Acme Control', publisher: 'Other Ltd' }] }, 'stays: no_match'],
  ['another program of the maker', { programs: [{ name: 'Acme Paint', publisher: 'Acme Software' }] }, 'stays: no_match'],
  ['a service by its name', { services: [{ name: 'acmesvc' }] }, 'goes: stop_and_disable'],
  ['a service by what it calls itself', { services: [{ name: 'x1', display: 'AcmeSvc' }] }, 'goes: stop_and_disable'],
  [
    'a service by what it runs',
    { services: [{ name: 'x1', path: '"C:\\Program Files\\Acme Control\\AcmeControl.exe" --service' }] },
    'goes: stop_and_disable',
  ],
  ['a unit without its ending', { os: 'linux', services: [{ name: 'acme-control' }] }, 'goes: stop_and_disable'],
  ['a service of another system', { os: 'macos', services: [{ name: 'AcmeSvc' }] }, 'stays: no_match'],
  [
    'a start-up entry',
    { start_up: [{ name: 'x', command: 'C:\\Program Files\\Acme Control\\AcmeControl.exe --tray' }] },
    'goes: remove_start_up',
  ],
  [
    'a start-up entry that only mentions it',
    { start_up: [{ name: 'x', command: '"C:\\x\\kill.exe" AcmeControl.exe' }] },
    'stays: no_match',
  ],
  [
    'a download',
    { downloads: [{ name: 'AcmeControl (2).exe', path: 'C:\\Users\\Mum\\Downloads\\AcmeControl (2).exe' }] },
    'goes: quarantine',
  ],
  [
    'a renamed download by its signer',
    { downloads: [{ name: 'invoice.exe', path: 'C:\\invoice.exe', signer: 'Acme Software' }] },
    'goes: quarantine',
  ],
  ['a cleaner', { programs: [{ name: 'Fast Cleaner', publisher: 'Fast Co' }] }, 'goes: uninstall'],
  [
    'what comes with the system',
    { downloads: [{ name: 'HelpingHand.exe', path: 'C:\\Windows\\HelpingHand.exe' }] },
    'stays: part_of_system',
  ],
  ['what nobody knows', { programs: [{ name: 'Paint' }] }, 'stays: no_match'],
])('[P4.1, P4.2] the strict policy decides whether to remove %s', (_what, listing, expected) => {
  expect(firstDecision(listing)).toBe(expected);
});

const cleaner: Partial<Listing> = { programs: [{ name: 'Fast Cleaner', publisher: 'Fast Co' }] };
const control: Partial<Listing> = { programs: [{ name: 'Acme Control', publisher: 'Acme Software' }] };
const looksLike: Partial<Listing> = { downloads: [{ name: 'AcmeControl.exe', path: 'C:\\AcmeControl.exe' }] };
const allow = (until: string | null, identifier = 'Acme-Control'): RemovalPolicy => ({
  ...strict,
  allow: [{ type: 'definition', identifier, until, reported_until: null }],
});
const customPolicy = (action: 'block' | 'alert' | 'ignore', block_likely = true): RemovalPolicy => ({
  ...strict,
  block_likely,
  actions: { ...strict.actions, RemoteControl: action },
});

test.each<[string, Partial<Listing>, RemovalPolicy, string]>([
  ['the free plan removes remote control', control, freePolicy, 'goes: uninstall'],
  ['the free plan removes what looks like it', looksLike, freePolicy, 'goes: quarantine'],
  ['the free plan leaves a cleaner', cleaner, freePolicy, 'stays: ignored'],
  ['permissive leaves it and says so', control, permissive, 'stays: alert_only'],
  ['a profile of one’s own ignores it', control, customPolicy('ignore'), 'stays: ignored'],
  ['a profile that blocks what is certain only', looksLike, customPolicy('block', false), 'stays: only_likely'],
  ['the same, and it is certain', control, customPolicy('block', false), 'goes: uninstall'],
  ['allowed for good', control, allow(null), 'stays: allowed'],
  ['allowed until later', control, allow('2026-11-21T12:00:01.000Z'), 'stays: allowed'],
  ['allowed until now', control, allow('2026-11-21T12:00:00.000Z'), 'goes: uninstall'],
  ['another one is allowed', control, allow(null, 'fast-cleaner'), 'goes: uninstall'],
])('[P4.1, P4.2] the policy decides whether a program is removed: %s', (_what, listing, policy, expected) => {
  expect(firstDecision(listing, policy)).toBe(expected);
});

test('a removal decision contains the end of the allow-list entry, or the later end of two entries', () => {
  const [early, late] = ['2026-11-22T00:00:00.000Z', '2026-11-23T00:00:00.000Z'];
  const twoEntries = { ...strict, allow: [...allow(early).allow, ...allow(late).allow] };
  expect(decideRemoval({ ...emptyListing, ...control }, twoEntries, set, now)[0]).toMatchObject({
    verdict: 'stays',
    reason: 'allowed',
    until: late,
  });
});

test('each installed program, service and file gets one removal decision, in order and with its index', () => {
  const listing: Listing = {
    os: 'windows',
    programs: [{ name: 'Paint' }, { name: 'Acme Control', publisher: 'Acme Software' }],
    services: [{ name: 'AcmeSvc', path: 'C:\\Program Files\\Acme Control\\AcmeControl.exe' }],
    start_up: [{ name: 'x', command: '' }],
    downloads: [{ name: 'y.txt', path: 'C:\\y.txt' }],
  };
  const decisions = decideRemoval(listing, strict, set, now);
  expect(decisions.map(({ kind, at, name }) => `${kind} ${at} ${name}`)).toEqual([
    'programs 0 Paint',
    'programs 1 Acme Control',
    'services 0 AcmeSvc',
    'start_up 0 x',
    'downloads 0 y.txt',
  ]);
  expect(decisions[2]).toMatchObject({
    verdict: 'goes',
    match: { certainty: 'certain', why: expect.arrayContaining(['service=acmesvc']) },
  });
});

test('the name of a program in a list, however long, does not stop the decision', () => {
  const names = ['-'.repeat(80_000), ' '.repeat(80_000), `a${' '.repeat(80_000)}(`].map((long) => `${long}! 1`);
  const before = process.cpuUsage().user;
  const programs = names.map((name) => ({ name }));
  expect(decideRemoval({ ...emptyListing, programs }, strict, set, now)).toHaveLength(names.length);
  // Seconds; it took ten times as long when it grew with the square of the length.
  expect((process.cpuUsage().user - before) / 1_000_000).toBeLessThan(3);
});

const download = (original_name: string): Partial<Listing> => ({
  downloads: [{ name: 'wideview.exe', path: 'C:\\wideview.exe', original_name, company: 'Wide Software' }],
});

test.each<[string, Partial<Listing>, string]>([
  ['a viewer in the download folder', download('wideview.exe'), 'stays: only_outgoing'],
  ['a server under the name of the viewer', download('wideserver.exe'), 'goes: quarantine'],
  [
    'an installed viewer',
    { programs: [{ name: 'Wide Viewer 7.1 (64-bit)', publisher: 'Wide Software', version: '7.1' }] },
    'stays: only_outgoing',
  ],
  ['an installed server', { programs: [{ name: 'Wide Control', publisher: 'Wide Software' }] }, 'goes: uninstall'],
  ['a viewer on a Mac', { os: 'macos', programs: [{ name: 'Wide', bundle_id: 'com.wide.viewer' }] }, 'stays: only_outgoing'],
  ['a server on a Mac', { os: 'macos', programs: [{ name: 'Wide', bundle_id: 'com.wide.server' }] }, 'goes: uninstall'],
  ['a viewer that starts at each login', { start_up: [{ name: 'x', command: 'C:\\wideview.exe -listen' }] }, 'goes: remove_start_up'],
])('[P15.3] the strict policy decides about %s', (_what, listing, expected) => expect(firstDecision(listing)).toBe(expected));
