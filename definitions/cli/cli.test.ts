import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { readCatalogue } from '../catalogue.ts';
import { definitionSet } from '../format.ts';
import { openDocument } from '../signature.ts';
import { typed } from '../testing/command.ts';
import { family } from '../testing/families.ts';

const folder = mkdtempSync(join(tmpdir(), 'porchlight-definitions-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string, content: unknown) => {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};
const acme = family('acme', { programs: { names: [{ os: 'windows', name: 'AcmeControl.exe' }] }, domains: ['acme.example'] });
const setOf = (definitions: unknown[], version = 1) => ({ version, issued: '2026-01-01T00:00:00.000Z', definitions });

const known = file(
  'known.json',
  setOf([
    family('acme', {
      programs: { names: [{ os: 'windows', name: 'AcmeControl.exe' }], signers: ['Acme Software GmbH'] },
      domains: ['acme.example'],
    }),
    family('cleaner', { category: 'DeceptiveUtility', programs: { signers: ['Fast Cleaners LP'] } }),
    family('shop', { category: 'ScamWebsite', domains: ['shop.example'] }),
  ]),
);

test('[P4.1, P4.2] each line is answered in its place, with what both profiles do', async () => {
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
  const { code, lines: answers } = await typed(['match', file('seen.jsonl', `\ufeff${lines.join('\r\n')}\r\n`), '--set', known]);
  expect(code).toBe(0);
  const remote = { strict: 'block', permissive: 'alert' };
  const nothing = { match: null, action: { strict: 'ignore', permissive: 'ignore' } };
  const told = (identifier: string, category: string, strength: string, why: string[]) => ({ identifier, category, strength, why });
  expect(answers.map((line) => JSON.parse(line))).toEqual([
    { match: told('acme', 'RemoteControl', 'likely', ['name=acmecontrol.exe']), action: remote },
    { match: told('acme', 'RemoteControl', 'certain', ['signer=acme software gmbh']), action: remote },
    { match: told('acme', 'RemoteControl', 'certain', ['domain=acme.example']), action: remote },
    { match: told('acme', 'RemoteControl', 'certain', ['domain=acme.example']), action: remote },
    nothing,
    { match: told('cleaner', 'DeceptiveUtility', 'certain', ['signer=fast cleaners lp']), action: remote },
    { match: told('shop', 'ScamWebsite', 'certain', ['domain=shop.example']), action: { strict: 'block', permissive: 'block' } },
    nothing,
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
])('a line that is wrong, %s, is named in its place, and the others are answered', async (_what, line, says) => {
  const { code, lines } = await typed(
    ['match', '-'],
    `{"os":"windows","name":"AnyDesk.exe"}\n${line}\n{"os":"windows","name":"AnyDesk.exe"}`,
  );
  expect(code).toBe(1);
  expect(lines).toHaveLength(3);
  expect(JSON.parse(lines[1] ?? '')).toEqual({ error: expect.stringMatching(says) });
  expect(lines[2]).toBe(lines[0]);
});

test('an exotic site is no site of ours, and no error', async () => {
  const domains = ['', '..', 'a'.repeat(300), 'http://', '127.0.0.1', '[::1]', 'xn--', '\u0000'];
  const { code, lines } = await typed(['match', '-'], domains.map((domain) => JSON.stringify({ domain })).join('\n'));
  expect(code).toBe(0);
  expect(lines.map((line) => JSON.parse(line).match)).toEqual(domains.map(() => null));
});

test('what is built is signed, and the agent’s way of opening it opens it', async () => {
  const key = join(folder, 'key.json');
  expect((await typed(['new-key', '--out', key])).code).toBe(0);
  expect(statSync(key).mode & 0o077).toBe(0);
  await expect(typed(['new-key', '--out', key])).rejects.toThrow(/is there already/);
  const pair = JSON.parse(readFileSync(key, 'utf8'));
  const [built, signed] = [join(folder, 'built.json'), join(folder, 'signed.json')];
  file('acme.json', acme);
  const only = mkdtempSync(join(folder, 'only-'));
  writeFileSync(join(only, 'acme.json'), JSON.stringify(acme));
  expect((await typed(['build', '--version', '7', '--out', built, '--from', only])).said).toMatch(/1 families, version 7/);
  await typed(['sign', built, '--key', key, '--out', signed]);
  const opened = openDocument(JSON.parse(readFileSync(signed, 'utf8')), pair.public_key, definitionSet);
  expect(opened).toEqual({ version: 7, issued: '2026-11-21T12:00:00.000Z', definitions: [acme] });
  expect((await typed(['diff', built, signed])).said).toBe('Nothing changed.\n');
  expect((await typed(['diff', only, signed])).said).toBe('Nothing changed.\n');
});

test('nothing is built while anything is wrong, and check says what', async () => {
  const only = mkdtempSync(join(folder, 'wrong-'));
  writeFileSync(join(only, 'acme.json'), JSON.stringify({ ...acme, domains: ['github.io'] }));
  const out = join(folder, 'never.json');
  await expect(typed(['build', '--version', '1', '--out', out, '--from', only])).rejects.toThrow(/github\.io[\s\S]*Nothing was written/);
  expect(() => readFileSync(out)).toThrow();
  const { code, said } = await typed(['check', only]);
  expect(code).toBe(1);
  expect(said).toMatch(/github\.io/);
});

test('a difference names families that came, changed and went, with their facts', async () => {
  const changed = { ...acme, domains: ['acme.test'], name: acme.name };
  const [old, now] = [
    file('old.json', setOf([acme, family('gone', { domains: ['gone.example'] })])),
    file('now.json', setOf([family('came'), changed], 2)),
  ];
  const { said } = await typed(['diff', old, now]);
  expect(said).toMatch(
    /changed: acme\n {2}\+ domains: acme\.test\n {2}- domains: acme\.example\nnew: came\n[\s\S]*gone: gone\n[\s\S]* {2}- domains: gone\.example/,
  );
});

test.each<[string[], RegExp]>([
  [['mach'], /no command "mach".*match, check, build/],
  [['match'], /Name one file, or - .*match FILE/],
  [['match', 'a', 'b'], /Name one file/],
  [['match', '-', '--sett', 'x'], /--sett.*Type: npm run/],
  [['match', 'nowhere.jsonl'], /nowhere\.jsonl is not there/],
  [['match', folder], /is a folder/],
  [['match', '-', '--set', file('no-set.json', '{}')], /not a set of definitions/],
  [['build', '--version', 'x', '--out', 'y'], /whole number/],
  [['build', '--version', '1', '--out', join(folder, 'no', 'where')], /is not there|right first/],
  [['sign', 'x'], /Name the set, the key/],
  [['sign', file('unbuilt.json', '{}'), '--key', 'k', '--out', 'o'], /not a set that "build" wrote/],
  [['diff', 'x'], /older and the newer/],
  [['import', 'other'], /lolrmm or sites/],
  [['import', 'lolrmm', folder], /folder for the drafts/],
  [['import', 'lolrmm', join(folder, 'nothing'), '--out', 'x'], /is not there/],
])('typed wrong, %j says what to do', async (args, says) => {
  await expect(typed(args)).rejects.toThrow(says);
});

test('every command explains itself', async () => {
  for (const args of [[], ['--help'], ['help', 'match'], ['match', '--help'], ['diff', '-h']]) {
    const { code, said } = await typed(args);
    expect(code).toBe(0);
    expect(said).toMatch(/npm run -s definitions -- /);
  }
});

test('typed in a terminal: answers on one way out, troubles on the other, and a number for what happened', () => {
  const script = fileURLToPath(new URL('./main.ts', import.meta.url));
  const run = (args: string[], input = '') => spawnSync(process.execPath, [script, ...args], { input, encoding: 'utf8' });
  const right = run(['match', '-'], '{"os":"windows","name":"AnyDesk.exe"}\n');
  expect([right.status, JSON.parse(right.stdout).match.identifier]).toEqual([0, 'anydesk']);
  expect(run(['match', '-'], 'x\n').status).toBe(1);
  const wrong = run(['mach']);
  expect([wrong.status, wrong.stdout]).toEqual([2, '']);
  expect(wrong.stderr).toMatch(/no command/);
  const keyless = run([
    'sign',
    file('built2.json', setOf(readCatalogue())),
    '--key',
    file('bad-key.json', '{}'),
    '--out',
    join(folder, 'x'),
  ]);
  expect(keyless.status).toBe(1);
  expect(keyless.stderr).toMatch(/Ed25519/);
});
