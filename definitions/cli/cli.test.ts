import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import type { Definition } from '../format.ts';
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
/** A folder like the catalogue. */
const folderOf = (definitions: Definition[]) => {
  const catalogueFolder = mkdtempSync(join(folder, 'catalogue-'));
  for (const definition of definitions) writeFileSync(join(catalogueFolder, `${definition.identifier}.json`), JSON.stringify(definition));
  return catalogueFolder;
};

const knownPrograms = folderOf([
  definitionWith('acme', {
    programs: { names: [{ os: 'windows', name: 'AcmeControl.exe' }], signers: ['Acme Software GmbH'] },
    domains: ['acme.example'],
  }),
  definitionWith('cleaner', { category: 'DeceptiveUtility', programs: { signers: ['Fast Cleaners LP'] } }),
  definitionWith('shop', { category: 'ScamWebsite', domains: ['shop.example'] }),
]);

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

test('the check command prints the problems of a catalogue', async () => {
  const { code, output } = await runTyped(['check', folderOf([{ ...acme, domains: ['github.io'] }])]);
  expect(code).toBe(1);
  expect(output).toMatch(/github\.io/);
});

test('the diff command prints new, changed and removed definitions, with their facts', async () => {
  const changedDefinition = { ...acme, domains: ['acme.test'], name: acme.name };
  const oldFolder = folderOf([acme, definitionWith('gone', { domains: ['gone.example'] })]);
  const { output } = await runTyped(['diff', oldFolder, folderOf([definitionWith('came'), changedDefinition])]);
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
  [['match', '-', '--set', file('no-set.json', '{}')], /is a file. Name a folder/],
  [['publish', 'x'], /Name the folder, the root and the key/],
  [['publish', 'x', '--accept=yes'], /stands alone/],
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
  const [badRoot, badKey] = [file('bad-root.json', '{}'), file('bad-key.json', '{}')];
  const keyless = run(['publish', join(folder, 'x'), '--root', badRoot, '--key', badKey]);
  expect(keyless.status).toBe(1);
  expect(keyless.stderr).toMatch(/Ed25519/);
});
