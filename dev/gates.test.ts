import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { changedFiles, removedFiles } from './changed-files.ts';
import { allGates, fastGates } from './gates.ts';
import { envOfRunner, runVitest, withoutColours } from './runners.ts';

const names = (changed: string[]) => fastGates(changed).map(({ name }) => name);

test('the fast check runs only the gates that the changed files can break', () => {
  expect(names(['server/secrets/tokens.test.ts'])).toEqual([
    'types of server',
    'lint',
    'arrows, requirements, words and pages',
    'no file that belongs into its only importer',
    'format',
  ]);
  // Tests are left out where secrets are compared: a gate that finds nothing to read fails.
  expect(names(['server/secrets/tokens.ts'])).toContain('secrets compared in constant time');
  expect(names(['docs/requirements.md'])).toEqual(['arrows, requirements, words and pages', 'format']);
  expect(names(['README.md'])).toEqual(['arrows, requirements, words and pages', 'format']);
  expect(names(['dashboard/ui/icons.css'])).toEqual(['format']);
  expect(names([])).toEqual([]);
});

const everyWorkspace = ['.', 'contract', 'definitions', 'server', 'simulators', 'dashboard', 'agent', 'packaging', 'dev', 'e2e', 'bench'];

/** The columns: what has changed, what is gone, and the workspaces of which the types are checked. */
test.each<[string, string[], string[], string[]]>([
  [
    'a file of the contract, all workspaces that import it at any depth',
    ['contract/limits.ts'],
    [],
    ['contract', 'definitions', 'server', 'simulators', 'dashboard', 'agent', 'packaging', 'dev', 'e2e', 'bench'],
  ],
  ['a file of the server, also the workspaces that import the server', ['server/app.ts'], [], ['server', 'dev', 'e2e', 'bench']],
  ['a test, which nobody imports, its own workspace alone', ['server/secrets/tokens.test.ts'], [], ['server']],
  ['a journey of e2e, e2e alone', ['e2e/login.e2e.ts'], [], ['e2e']],
  ['a file of e2e that a drill imports, also dev', ['e2e/coached/ways.ts'], [], ['dev', 'e2e']],
  ['a screen and a journey, neither the server nor the agent', ['dashboard/ui/button.tsx', 'e2e/login.e2e.ts'], [], ['dashboard', 'e2e']],
  ['a file of the root, the root alone', ['vitest.config.ts'], [], ['.']],
  ['the settings that all workspaces are compiled by, every workspace', ['tsconfig.base.json'], [], everyWorkspace],
  ['the settings of one workspace, that one', ['bench/tsconfig.json'], [], ['bench']],
  ['a removed file, the workspaces that may still import it', [], ['server/ports.ts'], ['server', 'dev', 'e2e', 'bench']],
  ['a page, none', ['docs/requirements.md'], [], []],
])('the fast check compiles, for %s', (_, changed, removed, compiled) => {
  const types = fastGates(changed, removed).flatMap(({ name }) => /^types of (.+)/.exec(name)?.[1] ?? []);
  expect(types).toEqual(compiled);
});

test('every gate of the fast check is also a gate of the whole check', () => {
  const allNames = new Set(allGates.map(({ name }) => name));
  for (const name of names(['server/a.ts', 'agent/b.ts', 'packaging/c.ts', 'docs/d.md', 'vitest.config.ts']))
    expect(allNames).toContain(name);
});

test('of the files that differ from main, edited, new and committed ones are changed, a renamed one counts as changed and as removed, and ignored ones are left out', () => {
  const folder = mkdtempSync(join(tmpdir(), 'changed-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.test', ...args], { cwd: folder, stdio: 'ignore' });
  const write = (name: string) => writeFileSync(join(folder, name), `${Math.random()}`);
  expect(changedFiles(folder)).toBeNull();
  git('init', '-b', 'main');
  for (const name of ['same', 'edited', 'removed', 'old-name']) write(name);
  writeFileSync(join(folder, '.gitignore'), 'ignored\n');
  git('add', '.');
  git('commit', '-m', 'one');
  git('switch', '-c', 'work');
  write('committed');
  git('add', '.');
  git('commit', '-m', 'two');
  for (const name of ['edited', 'néw', 'ignored']) write(name);
  rmSync(join(folder, 'removed'));
  git('mv', 'old-name', 'new-name');
  expect(changedFiles(folder)).toEqual(['committed', 'edited', 'new-name', 'néw']);
  expect(changedFiles(folder, 'HEAD')).not.toContain('committed');
  expect(changedFiles(folder, 'no-such-revision')).toBeNull();
  expect(removedFiles(folder)).toEqual(['old-name', 'removed']);
});

test('without a terminal no tool gets FORCE_COLOR, and all get NO_COLOR except Playwright, in whose workers Node would warn of it', () => {
  const env = { PATH: '/bin', FORCE_COLOR: '1' };
  expect(withoutColours(env)).toEqual({ PATH: '/bin', NO_COLOR: '1' });
  expect(envOfRunner('vitest', env, false)).toEqual({ PATH: '/bin', NO_COLOR: '1' });
  expect(envOfRunner('playwright', { ...env, NO_COLOR: '1' }, false)).toEqual({ PATH: '/bin' });
  // In a terminal the user decides.
  for (const runner of ['vitest', 'playwright'] as const) expect(envOfRunner(runner, env, true)).toEqual(env);
});

test('what Vitest prints about a failed test into a pipe has no colour codes, also where FORCE_COLOR is set', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'colours-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'fails.test.js'), "test('fails', () => expect({ a: 1 }).toEqual({ a: 2 }));");
  writeFileSync(join(folder, 'vitest.config.mjs'), 'export default { test: { globals: true } };');
  const printed = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const env = { FORCE_COLOR: '1' };
  await runVitest(['--root', folder], { env, printLater: true });
  const output = printed.mock.calls.map(([text]) => String(text)).join('');
  printed.mockRestore();
  expect(output).toMatch(/1 failed/);
  expect(output).not.toContain('\u001b');
});
