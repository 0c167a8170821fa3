import { type SignedFeed, signedFeed } from '@porchlight/contract/shapes.ts';
import { describe, expect, test } from 'vitest';
import { benignCommands, benignPrograms } from './benign.ts';
import { checkPart, openFeed, readCataloguePart } from './feed.ts';
import { catalogueBytes, signKeys, signSet } from './feed-make.ts';
import { refusalOf } from './feed-offer.ts';
import type { Definition } from './format.ts';
import { compileSet } from './index-marks.ts';
import { matchProgram } from './match.ts';
import type { Recognition } from './recognition.ts';
import { shippedNeverBlock, shippedRecognition } from './shipped.ts';
import { type KeyPair, newKeyPair } from './signature.ts';
import { buildSiteList } from './sites/site-list.ts';
import { definitionWith } from './testing/definition-with.ts';
import { topTools } from './top-tools.ts';

const shipped = shippedRecognition();
const start = new Date('2026-11-21T12:00:00.000Z');
const tool = (name: string, draft: Parameters<typeof definitionWith>[1] = {}) =>
  definitionWith(name, { programs: { names: [{ os: 'windows', name: `${name}control.exe` }] }, ...draft });
const tools = (count: number) => Array.from({ length: count }, (_, index) => tool(`tool${index}`));
const withDefinitions = (definitions: Definition[]): Recognition => ({ ...shipped, definitions });
/** The shipped set with more programs. */
const and = (...more: Definition[]) => withDefinitions([...shipped.definitions, ...more]);
/** The shipped set without the first `count` of the programs that may go. */
const less = (count: number) =>
  withDefinitions(
    shipped.definitions
      .filter(({ identifier }) => topTools.includes(identifier))
      .concat(shipped.definitions.filter(({ identifier }) => !topTools.includes(identifier)).slice(count)),
  );
const tenth = Math.floor(shipped.definitions.length / 10);
const without = (identifier: string) => withDefinitions(shipped.definitions.filter((definition) => definition.identifier !== identifier));

/** The project, with a feed of version 2 that a server has taken. */
function project(inForce: Recognition = shipped) {
  const [root, key] = [newKeyPair(), newKeyPair()];
  const keys = [signKeys({ version: 1, issued: start, root: root.public_key, signing: [key.public_key] }, root)];
  const catalogue = catalogueBytes(inForce);
  const sign = (version: number, bytes = catalogue, signer = key, keys_version = keys.length) =>
    signSet({ version, keys_version, issued: start, catalogue: bytes, sites: null }, signer);
  const current = openFeed(root.public_key, null, { keys, set: sign(2) }, start);
  return {
    ...{ root, key, keys, sign },
    /** What a server does with an offered feed: null where it takes it, otherwise why not. */
    offer(feed: unknown, part: Uint8Array = catalogue): string | null {
      try {
        const { set } = openFeed(root.public_key, current, feed, start);
        const { version: _version, ...offered } = readCataloguePart(checkPart(part, set.catalogue), set);
        return refusalOf({ recognition: inForce, sites: null }, { recognition: offered, sites: null });
      } catch (reason) {
        return (reason as Error).message;
      }
    },
  };
}
type Project = ReturnType<typeof project>;
type Offer = [feed: SignedFeed, part?: Uint8Array];

const recognised =
  (recognition: Recognition) =>
  (us: Project): Offer => {
    const bytes = catalogueBytes(recognition);
    return [{ keys: us.keys, set: us.sign(3, bytes) }, bytes];
  };
const nextRoot = newKeyPair();
const succeeded =
  (signer: (us: Project) => KeyPair) =>
  (us: Project): Offer => {
    const list = signKeys({ version: 2, issued: start, root: nextRoot.public_key, signing: [us.key.public_key] }, signer(us));
    return [{ keys: [...us.keys, list], set: us.sign(3, undefined, undefined, 2) }];
  };

describe('[P16.1] each of ten bad feeds is refused for its own reason, and the smallest innocent one beside it is taken', () => {
  const few = { ...shipped, definitions: tools(4) };
  test.each<[string, RegExp, (us: Project) => Offer, (us: Project) => Offer, Recognition?]>([
    ['is older', /they are older than ours/, (us) => [{ keys: us.keys, set: us.sign(1) }], (us) => [{ keys: us.keys, set: us.sign(3) }]],
    [
      'nobody has signed',
      /nobody has signed them/,
      (us) => [{ keys: us.keys, set: { ...us.sign(3), signature: '' } }],
      (us) => [{ keys: us.keys, set: us.sign(3) }],
    ],
    [
      'another key has signed',
      /they are not signed by/,
      (us) => [{ keys: us.keys, set: us.sign(3, undefined, newKeyPair()) }],
      (us) => [{ keys: us.keys, set: us.sign(3) }],
    ],
    [
      'has a successor that the first root did not sign',
      /a list of keys follows that the root key in force did not sign/,
      succeeded(() => nextRoot),
      succeeded((us) => us.root),
    ],
    [
      'has grown tenfold',
      /40 programs and scams, and had 4: ten times/,
      recognised({ ...few, definitions: tools(40) }),
      recognised({ ...few, definitions: tools(39) }),
      few,
    ],
    [
      'has lost more than a tenth',
      /has lost \d+ of \d+ programs and scams, more than a tenth/,
      recognised(less(tenth + 1)),
      recognised(less(tenth)),
    ],
    [
      'has lost a tool of the 50',
      /no longer knows anydesk, of the 50 programs/,
      recognised(without('anydesk')),
      recognised(without('yuuguu')),
    ],
    [
      'blocks a site that people need',
      /acme would block windowsupdate\.com/,
      recognised(and(tool('acme', { domains: ['windowsupdate.com'] }))),
      recognised(and(tool('acme', { domains: ['windowsupdate.acme.example'] }))),
    ],
    [
      'takes a harmless program for a tool',
      /would take Google Chrome for ACME: signer=google llc/,
      recognised(and(tool('acme', { programs: { signers: ['Google LLC'] } }))),
      recognised(and(tool('acme', { programs: { signers: ['Acme Remote LLC'] } }))),
    ],
    [
      'has a part that is not what was signed',
      /a part is not what was signed/,
      (us) => [{ keys: us.keys, set: us.sign(3) }, Buffer.from(catalogueBytes(shipped)).fill('[', 0, 1)],
      (us) => [{ keys: us.keys, set: us.sign(3) }, catalogueBytes(shipped)],
    ],
  ])('a feed that %s', (_what, expected, bad, innocent, inForce = shipped) => {
    const us = project(inForce);
    const [badFeed, badPart] = bad(us);
    expect(us.offer(badFeed, badPart)).toMatch(expected);
    const [goodFeed, goodPart] = innocent(us);
    expect(us.offer(signedFeed.parse(goodFeed), goodPart)).toBeNull();
  });
});

const [pattern] = shipped.commands.patterns;
if (!pattern) throw new Error('the shipped patterns are missing');
const patterns = (all: Recognition['commands']['patterns'], words = shipped.commands.words): Recognition => ({
  ...shipped,
  commands: { ...shipped.commands, patterns: all, words },
});
/** Without a tenth of the patterns, and `more`. */
const patternsFrom = (more: number) => patterns(shipped.commands.patterns.slice(Math.floor(shipped.commands.patterns.length / 10) + more));
const tunnelsFrom = (first: number): Recognition => {
  const { programs } = shipped.tunnels;
  return { ...shipped, tunnels: { ...shipped.tunnels, programs: Object.fromEntries(Object.entries(programs).slice(first)) } };
};
/** `more`: beside the shipped terminals of Linux; without any, no terminal at all. */
const startedFrom = (more: string[]): Recognition => {
  const { terminal } = shipped.commands.starting_points;
  const terminals = more.length > 0 ? { ...terminal, linux: [...terminal.linux, ...more] } : { windows: [], macos: [], linux: [] };
  return { ...shipped, commands: { ...shipped.commands, starting_points: { ...shipped.commands.starting_points, terminal: terminals } } };
};
const money = (...domains: string[]): Recognition => ({ ...shipped, money: [...shipped.money, { kind: 'bank', domains }] });
const hollow = shipped.definitions.map((definition) =>
  definition.identifier === 'teamviewer' ? { ...definition, ...tool('teamviewer', { sources: definition.sources }) } : definition,
);
const needed = [...shippedNeverBlock].filter((host) => host.includes('.')).slice(0, 300);
/** A set with a list of sites. */
const listed = (names: string[], recognition = shipped) => ({ recognition, sites: buildSiteList(names) });
const refused = (offered: Recognition, accepted = false, inForce: Recognition | null = shipped) =>
  refusalOf(inForce && { recognition: inForce, sites: null }, { recognition: offered, sites: null }, accepted);
const named = (count: number) => Array.from({ length: count }, (_, index) => `scam${index}.example`);

test.each<[string, RegExp, Recognition, Recognition]>([
  ['a tool of the 50 that is only a name', /no longer knows teamviewer/, withDefinitions(hollow), and(tool('teamviewer-two'))],
  ['tunnels that are gone', /lost 3 of \d+ tunnels/, tunnelsFrom(3), tunnelsFrom(1)],
  ['patterns of commands that are gone', /lost \d+ of \d+ patterns of commands/, patternsFrom(1), patternsFrom(0)],
  [
    'money sites that are gone',
    /lost \d+ of \d+ money sites/,
    { ...shipped, money: shipped.money.slice(Math.ceil(shipped.money.length / 5)) },
    { ...shipped, money: shipped.money.slice(1) },
  ],
  ['a money site that others need', /would rest gstatic\.com/, money('gstatic.com'), money('bank.example')],
  ['a money site that many share', /would rest github\.io/, money('github.io'), money('bank.github.io')],
  ['a money site with capitals', /Bank\.example is not a plain lower-case host/, money('Bank.example'), money('bank.example')],
  [
    'a blocked bank',
    /acme would block chase\.com/,
    and(tool('acme', { domains: ['chase.com'] })),
    and(tool('acme', { domains: ['chase.com.example'] })),
  ],
  [
    'a blocked bank of its own',
    /acme would block bank\.example/,
    { ...money('bank.example'), definitions: [...shipped.definitions, tool('acme', { domains: ['bank.example'] })] },
    { ...money('bank.example'), definitions: [...shipped.definitions, tool('acme', { domains: ['acme.example'] })] },
  ],
  [
    'a pattern that a needed site fits',
    /The pattern \*\*\.microso\*\.com of acme would block microsoft\.com/,
    and(tool('acme', { category: 'ScamWebsite', programs: {}, site_patterns: ['**.microso*.com'] })),
    and(tool('acme', { category: 'ScamWebsite', programs: {}, site_patterns: ['**.microsoft-help*.com'] })),
  ],
  [
    'a pattern of sites that no agent can read',
    /The pattern \*\*\.Scam\*\.com of acme is not/,
    and(tool('acme', { category: 'ScamWebsite', programs: {}, site_patterns: ['**.Scam*.com'] })),
    and(tool('acme', { category: 'ScamWebsite', programs: {}, site_patterns: ['**.scamscam*.com'] })),
  ],
  [
    'a name of the system as a distinctive one',
    /acme takes conhost\.exe for a distinctive name/,
    and(tool('acme', { programs: { names: [{ os: 'windows', name: 'conhost.exe' }] } })),
    and(tool('acme', { programs: { names: [{ os: 'windows', name: 'conhost-acme.exe' }] } })),
  ],
  [
    'an ordinary program as a tunnel',
    /would report firefox as a tunnel/,
    { ...shipped, tunnels: { ...shipped.tunnels, mesh: { ...shipped.tunnels.mesh, firefox: 'Firefox' } } },
    { ...shipped, tunnels: { ...shipped.tunnels, mesh: { ...shipped.tunnels.mesh, firetunnel: 'Firetunnel' } } },
  ],
  [
    'an ordinary command',
    /The pattern wide would stop an ordinary command: powershell -Command "Invoke-WebRequest/,
    patterns([
      ...shipped.commands.patterns,
      { ...pattern, identifier: 'wide', os: ['windows'], programs: ['powershell'], must: [['invoke-webrequest']], address: 'web' },
    ]),
    patterns([
      ...shipped.commands.patterns,
      {
        ...pattern,
        identifier: 'wide',
        os: ['windows'],
        programs: ['powershell'],
        must: [['invoke-webrequest'], ['start-process']],
        address: 'web',
      },
    ]),
  ],
  [
    'a pattern with a group that is not there',
    /A pattern of commands cannot be read: .*no group @/,
    patterns(shipped.commands.patterns, {}),
    patterns(shipped.commands.patterns, { ...shipped.commands.words, more: ['word'] }),
  ],
  [
    'a pattern that is there twice',
    /is there 2 times/,
    patterns([...shipped.commands.patterns, pattern]),
    patterns([...shipped.commands.patterns, { ...pattern, identifier: 'another' }]),
  ],
  ['patterns that nothing starts', /lost \d+ of \d+ programs that start commands/, startedFrom([]), startedFrom(['newterminal'])],
  ['a service as a terminal', /would stop what systemd starts/, startedFrom(['systemd']), startedFrom(['systemd-terminal'])],
  ['a definition that is there twice', /The identifier acme is there 2 times/, and(tool('acme'), tool('acme')), and(tool('acme'))],
])('[P16.1] a set with %s is refused, and the smallest innocent one is taken', (_what, expected, bad, innocent) => {
  expect(refused(bad)).toMatch(expected);
  expect(refused(innocent)).toBeNull();
});

test.each<[string, RegExp, string[], string[], string[]]>([
  ['that lost more than half', /list has 4 sites, and had 10/, named(10), named(4), named(5)],
  ['that has grown tenfold', /100 sites, and had 10/, named(10), named(100), named(99)],
  ['of sites that people need', /list of sites has google\.com/, named(300), needed, [...needed.slice(0, 3), ...named(300)]],
])('[P16.1] a set with a list %s is refused, and the smallest innocent one is taken', (_what, expected, before, bad, innocent) => {
  expect(refusalOf(listed(before), listed(bad))).toMatch(expected);
  expect(refusalOf(listed(before), listed(innocent))).toBeNull();
});

test('[P16.1] a site that is a money site no longer may be blocked, since a bank gives up a name and a scammer takes it', () => {
  const scam = tool('scam', { category: 'ScamWebsite', programs: {}, domains: ['bank.example'] });
  expect(refused(and(scam), false, money('bank.example'))).toBeNull();
  expect(refused({ ...money('bank.example'), definitions: [scam] }, false, null)).toMatch(/scam would block bank\.example/);
});

test('[P16.1] what is lost or has come may be accepted, and what harms may not', () => {
  expect(refused(without('anydesk'))).toMatch(/anydesk/);
  expect(refused(without('anydesk'), true)).toBeNull();
  const harmful = withDefinitions([tool('acme', { domains: ['windowsupdate.com'] })]);
  expect(refused(harmful, true)).toMatch(/windowsupdate\.com/);
});

test('[P16.1] all that ships is taken after itself and as the first of all', () => {
  expect([refused(shipped), refused(shipped, false, null)]).toEqual([null, null]);
});

test('[P16.1] the 50 tools are in the catalogue, and the harmless sample has every system', () => {
  const identifiers = new Set(shipped.definitions.map(({ identifier }) => identifier));
  expect(topTools.filter((identifier) => !identifiers.has(identifier))).toEqual([]);
  expect(new Set(topTools).size).toBe(50);
  for (const system of ['windows', 'macos', 'linux'] as const) {
    for (const sample of [benignPrograms, benignCommands]) expect(sample.filter(({ os }) => os === system).length).toBeGreaterThan(8);
  }
  const set = compileSet({ version: 1, issued: start.toISOString(), definitions: shipped.definitions });
  expect(benignPrograms.filter((program) => matchProgram(program, set))).toEqual([]);
});
