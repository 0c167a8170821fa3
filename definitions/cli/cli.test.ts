import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { readCatalogue } from '../catalogue.ts';
import { checkPart, type OpenFeed, openFeed, readCataloguePart } from '../feed.ts';
import { shippedRecognition } from '../shipped.ts';
import { buildSiteList, readSiteList } from '../sites/site-list.ts';
import { runTyped } from '../testing/command.ts';
import { definitionWith } from '../testing/definition-with.ts';

const folder = mkdtempSync(join(tmpdir(), 'porchlight-definitions-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string, content: unknown) => {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};
const acme = definitionWith('acme', { programs: { names: [{ os: 'windows', name: 'AcmeControl.exe' }] }, domains: ['acme.example'] });
const setOf = (definitions: unknown[], version = 1) => ({
  version,
  issued: '2026-01-01T00:00:00.000Z',
  ...shippedRecognition([]),
  definitions,
});

const knownPrograms = file(
  'known.json',
  setOf([
    definitionWith('acme', {
      programs: { names: [{ os: 'windows', name: 'AcmeControl.exe' }], signers: ['Acme Software GmbH'] },
      domains: ['acme.example'],
    }),
    definitionWith('cleaner', { category: 'DeceptiveUtility', programs: { signers: ['Fast Cleaners LP'] } }),
    definitionWith('shop', { category: 'ScamWebsite', domains: ['shop.example'] }),
  ]),
);

test('[P4.1, P4.2] the match command answers each line in order, with the actions of the strict and the permissive policy', async () => {
  const lines = [
    '{"os":"windows","name":"AcmeControl.exe"}',
    '{"os":"windows","name":"svchost.exe","signer":"Acme Software GmbH","company":null}',
    '{"domain":"relay.acme.example"}',
    '{"domain":"https://www.Acme.Example/download?x"}',
    '{"domain":"notacme.example"}',
    '{"os":"windows","name":"x.exe","signer":"Fast Cleaners LP"}',
    '{"domain":"shop.example"}',
    '{"os":"windows","name":"notepad.exe"}',
  ];
  const { code, lines: answers } = await runTyped(['match', file('seen.jsonl', `\ufeff${lines.join('\r\n')}\r\n`), '--set', knownPrograms]);
  expect(code).toBe(0);
  const remote = { strict: 'block', permissive: 'alert' };
  const noMatch = { match: null, action: { strict: 'ignore', permissive: 'ignore' } };
  const matchOf = (identifier: string, category: string, strength: string, why: string[]) => ({ identifier, category, strength, why });
  expect(answers.map((line) => JSON.parse(line))).toEqual([
    { match: matchOf('acme', 'RemoteControl', 'likely', ['name=acmecontrol.exe']), action: remote },
    { match: matchOf('acme', 'RemoteControl', 'certain', ['signer=acme software gmbh']), action: remote },
    { match: matchOf('acme', 'RemoteControl', 'certain', ['domain=acme.example']), action: remote },
    { match: matchOf('acme', 'RemoteControl', 'certain', ['domain=acme.example']), action: remote },
    noMatch,
    { match: matchOf('cleaner', 'DeceptiveUtility', 'certain', ['signer=fast cleaners lp']), action: remote },
    { match: matchOf('shop', 'ScamWebsite', 'certain', ['domain=shop.example']), action: { strict: 'block', permissive: 'block' } },
    noMatch,
  ]);
});

test.each([
  ['not JSON', 'AnyDesk.exe', /^line 2: this is not JSON/],
  ['an empty line', '', /^line 2: this is not JSON/],
  ['a list', '[]', /^line 2: this is not an object/],
  ['no name', '{"os":"windows"}', /^line 2: name: /],
  ['another system', '{"os":"beos","name":"x"}', /^line 2: os: /],
  ['a number for a name', '{"os":"windows","name":7}', /^line 2: name: /],
  ['a number for a domain', '{"domain":7}', /^line 2: domain: /],
  ['a name without end', JSON.stringify({ os: 'windows', name: 'x'.repeat(5000) }), /^line 2: name: /],
])('the match command reports a wrong line, %s, at its position and answers the other lines', async (_what, line, expectedError) => {
  const { code, lines } = await runTyped(
    ['match', '-'],
    `{"os":"windows","name":"AnyDesk.exe"}\n${line}\n{"os":"windows","name":"AnyDesk.exe"}`,
  );
  expect(code).toBe(1);
  expect(lines).toHaveLength(3);
  expect(JSON.parse(lines[1] ?? '')).toEqual({ error: expect.stringMatching(expectedError) });
  expect(lines[2]).toBe(lines[0]);
});

test('the match command answers a site with an unusual address as unknown, without an error', async () => {
  const domains = ['', '..', 'a'.repeat(300), 'http://', '127.0.0.1', '[::1]', 'xn--', '\u0000'];
  const { code, lines } = await runTyped(['match', '-'], domains.map((domain) => JSON.stringify({ domain })).join('\n'));
  expect(code).toBe(0);
  expect(lines.map((line) => JSON.parse(line).match)).toEqual(domains.map(() => null));
});

test('an agent accepts a feed made by the build and sign commands, and the next feed signed with another key', async () => {
  const [root, key, secondKey] = ['root.json', 'key.json', 'second.json'].map((name) => join(folder, name));
  if (!root || !key || !secondKey) throw new Error('three names');
  for (const keyFile of [root, key, secondKey]) expect((await runTyped(['new-key', '--out', keyFile])).code).toBe(0);
  expect(statSync(key).mode & 0o077).toBe(0);
  await expect(runTyped(['new-key', '--out', key])).rejects.toThrow(/is there already/);
  const pinnedRoot = JSON.parse(readFileSync(root, 'utf8')).public_key;
  const catalogueFolder = mkdtempSync(join(folder, 'only-'));
  writeFileSync(join(catalogueFolder, 'acme.json'), JSON.stringify(acme));
  const list = join(folder, 'sites.list');
  writeFileSync(list, buildSiteList(['scam.example']));
  const build = async (version: number) => {
    const builtFile = join(folder, `built-${version}.json`);
    const { output } = await runTyped(['build', '--version', String(version), '--out', builtFile, '--from', catalogueFolder]);
    expect(output).toContain(`1 families, version ${version}`);
    return builtFile;
  };
  const now = new Date('2026-11-21T12:00:01.000Z');
  const openPublished = (out: string, current: OpenFeed | null) => {
    const openedFeed = openFeed(pinnedRoot, current, JSON.parse(readFileSync(join(out, 'feed.json'), 'utf8')), now);
    const readPart = (sha256: string) => new Uint8Array(readFileSync(join(out, 'parts', sha256)));
    const { catalogue, sites } = openedFeed.set;
    expect(readCataloguePart(checkPart(readPart(catalogue.sha256), catalogue), openedFeed.set).definitions).toEqual([acme]);
    if (sites) expect(readSiteList(checkPart(readPart(sites.sha256), sites)).has('scam.example')).toBe(true);
    return openedFeed;
  };

  const [firstFolder, secondFolder, thirdFolder] = ['feed-1', 'feed-2', 'feed-3'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  await runTyped(['sign', await build(7), '--root', root, '--key', key, '--sites', list, '--out', firstFolder]);
  const firstFeed = openPublished(firstFolder, null);
  expect([firstFeed.set.version, firstFeed.keys.version, firstFeed.set.sites === null]).toEqual([7, 1, false]);
  expect((await runTyped(['diff', catalogueFolder, firstFolder])).output).toBe('Nothing changed.\n');

  const eight = await build(8);
  await runTyped(['sign', eight, '--root', root, '--key', key, '--after', firstFolder, '--out', secondFolder]);
  expect(openPublished(secondFolder, firstFeed).keys.version).toBe(1);
  await runTyped(['sign', await build(9), '--root', root, '--key', secondKey, '--after', secondFolder, '--out', thirdFolder]);
  const lastFeed = openPublished(thirdFolder, firstFeed);
  expect([lastFeed.set.version, lastFeed.keys.version]).toEqual([9, 2]);

  const repeatedSign = ['sign', eight, '--root', root, '--key', key, '--after', thirdFolder, '--out', firstFolder];
  await expect(runTyped(repeatedSign)).rejects.toThrow(/version 8, and agents have 9 already/);
  const foreignRootSign = ['sign', await build(10), '--root', secondKey, '--key', key, '--after', thirdFolder, '--out', firstFolder];
  await expect(runTyped(foreignRootSign)).rejects.toThrow(/not signed by this root/);
  const damagedSitesSign = ['sign', await build(11), '--root', root, '--key', key, '--sites', eight, '--out', firstFolder];
  await expect(runTyped(damagedSitesSign)).rejects.toThrow(/not a site list/);
});

test('the build command writes nothing while the catalogue has a problem, and the check command prints the problem', async () => {
  const catalogueFolder = mkdtempSync(join(folder, 'wrong-'));
  writeFileSync(join(catalogueFolder, 'acme.json'), JSON.stringify({ ...acme, domains: ['github.io'] }));
  const out = join(folder, 'never.json');
  await expect(runTyped(['build', '--version', '1', '--out', out, '--from', catalogueFolder])).rejects.toThrow(
    /github\.io[\s\S]*Nothing was written/,
  );
  expect(() => readFileSync(out)).toThrow();
  const { code, output } = await runTyped(['check', catalogueFolder]);
  expect(code).toBe(1);
  expect(output).toMatch(/github\.io/);
});

test('the diff command prints new, changed and removed definitions, with their facts', async () => {
  const changedDefinition = { ...acme, domains: ['acme.test'], name: acme.name };
  const [oldFolder, newFolder] = [
    file('old.json', setOf([acme, definitionWith('gone', { domains: ['gone.example'] })])),
    file('now.json', setOf([definitionWith('came'), changedDefinition], 2)),
  ];
  const { output } = await runTyped(['diff', oldFolder, newFolder]);
  expect(output).toMatch(
    /changed: acme\n {2}\+ domains: acme\.test\n {2}- domains: acme\.example\nnew: came\n[\s\S]*gone: gone\n[\s\S]* {2}- domains: gone\.example/,
  );
});

test.each<[string[], RegExp]>([
  [['mach'], /no command "mach"; npm run -s definitions -- help shows every word/],
  [['match'], /Name one file, or - .*match FILE/],
  [['match', 'a', 'b'], /Name one file/],
  [['match', '-', '--sett', 'x'], /--sett.*Type: npm run/],
  [['match', 'nowhere.jsonl'], /nowhere\.jsonl is not there/],
  [['match', folder], /is a folder/],
  [['match', '-', '--set', file('no-set.json', '{}')], /not a set of definitions/],
  [['build', '--version', 'x', '--out', 'y'], /whole number/],
  [['build', '--version', '1', '--out', join(folder, 'no', 'where')], /is not there|right first/],
  [['sign', 'x'], /Name the set, the root, the key/],
  [['sign', file('unbuilt.json', '{}'), '--root', 'r', '--key', 'k', '--out', 'o'], /not a set that "build" wrote/],
  [['diff', 'x'], /older and the newer/],
  [['import', 'other'], /lolrmm or sites/],
  [['import', 'lolrmm', folder], /folder for the drafts/],
  [['import', 'lolrmm', join(folder, 'nothing'), '--out', 'x'], /is not there/],
])('for the wrong arguments %j, the definitions command prints what to type instead', async (args, expectedError) => {
  await expect(runTyped(args)).rejects.toThrow(expectedError);
});

test('every definitions command prints its help', async () => {
  for (const args of [[], ['--help'], ['help', 'match'], ['match', '--help'], ['diff', '-h']]) {
    const { code, output } = await runTyped(args);
    expect(code).toBe(0);
    expect(output).toMatch(/npm run -s definitions -- /);
  }
});

test('the definitions command prints answers to stdout and errors to stderr, and sets the exit code', () => {
  const script = fileURLToPath(new URL('./main.ts', import.meta.url));
  const run = (args: string[], input = '') => spawnSync(process.execPath, [script, ...args], { input, encoding: 'utf8' });
  const rightCommand = run(['match', '-'], '{"os":"windows","name":"AnyDesk.exe"}\n');
  expect([rightCommand.status, JSON.parse(rightCommand.stdout).match.identifier]).toEqual([0, 'anydesk']);
  expect(run(['match', '-'], 'x\n').status).toBe(1);
  const wrongCommand = run(['mach']);
  expect([wrongCommand.status, wrongCommand.stdout]).toEqual([2, '']);
  expect(wrongCommand.stderr).toMatch(/no command/);
  const keyless = run([
    'sign',
    file('built2.json', setOf(readCatalogue())),
    '--root',
    file('bad-root.json', '{}'),
    '--key',
    file('bad-key.json', '{}'),
    '--out',
    join(folder, 'x'),
  ]);
  expect(keyless.status).toBe(1);
  expect(keyless.stderr).toMatch(/Ed25519/);
});
