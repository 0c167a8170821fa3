import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { changedFiles } from './changed-files.ts';
import { allGates, fastGates } from './gates.ts';

const names = (changed: string[]) => fastGates(changed).map(({ name }) => name);

test('the fast check runs only the gates of the changed workspaces', () => {
  expect(names(['server/lib/tokens.ts'])).toEqual([
    'types of server',
    'lint',
    'arrows, requirements, words and pages',
    'format',
    'secrets compared in constant time',
  ]);
  expect(names(['dashboard/ui/button.tsx', 'e2e/login.e2e.ts'])).not.toContain('types of server');
  expect(names(['vitest.config.ts'])).toContain('types of .');
  // A gate that finds nothing to read fails.
  expect(names(['server/lib/tokens.test.ts'])).not.toContain('secrets compared in constant time');
  expect(names(['docs/requirements.md'])).toEqual(['arrows, requirements, words and pages', 'format']);
  expect(names(['README.md'])).toEqual(['arrows, requirements, words and pages', 'format']);
  expect(names(['dashboard/ui/icons.css'])).toEqual(['format']);
  expect(names([])).toEqual([]);
});

test('every gate of the fast check is also a gate of the whole check', () => {
  const allNames = new Set(allGates.map(({ name }) => name));
  for (const name of names(['server/a.ts', 'agent/b.ts', 'packaging/c.ts', 'docs/d.md', 'vitest.config.ts']))
    expect(allNames).toContain(name);
});

test('the files that differ from main are changed, new and committed files, but not removed and ignored files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'changed-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.test', ...args], { cwd: folder, stdio: 'ignore' });
  const write = (name: string) => writeFileSync(join(folder, name), `${Math.random()}`);
  expect(changedFiles(folder)).toBeNull();
  git('init', '-b', 'main');
  for (const name of ['same', 'edited', 'removed']) write(name);
  writeFileSync(join(folder, '.gitignore'), 'ignored\n');
  git('add', '.');
  git('commit', '-m', 'one');
  git('switch', '-c', 'work');
  write('committed');
  git('add', '.');
  git('commit', '-m', 'two');
  for (const name of ['edited', 'néw', 'ignored']) write(name);
  rmSync(join(folder, 'removed'));
  expect(changedFiles(folder)).toEqual(['committed', 'edited', 'néw']);
});
