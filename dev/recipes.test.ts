import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findBrowser } from './browser.ts';
import { copyOfTree } from './copy-of-tree.ts';
import { root } from './root.ts';

/** The recipes of CONTRIBUTING.md, followed step by step in a copy of the sources. Each place that a recipe names must ask for what is missing. */

let tree: string;
beforeAll(async () => {
  tree = await copyOfTree();
});
afterAll(() => rmSync(tree, { recursive: true, force: true }));

const write = (file: string, text: string) => writeFileSync(join(tree, file), text);

/** A file that a contributor writes; its imports are those of the folder that it is copied to. */
const step = (name: string) => readFileSync(join(root, 'dev', 'recipes', name), 'utf8');

/** Inserts `text` after the only place where `mark` is. */
function insert(file: string, mark: string, text: string): void {
  const source = readFileSync(join(tree, file), 'utf8');
  expect(source.split(mark), `${file} has "${mark}" once`).toHaveLength(2);
  write(
    file,
    source.replace(mark, () => mark + text),
  );
}

/** The output of a tool that runs in the copy, and its exit code. */
function run(tool: string, ...args: string[]): { code: number | null; output: string } {
  // The copy has no fetched browser.
  const env = { ...process.env, NO_COLOR: '1', CHROMIUM: findBrowser() ?? '' };
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(tree, tool), ...args], { cwd: tree, env, encoding: 'utf8' });
  return { code: status, output: stdout + stderr };
}
const types = (folder: string) => run('node_modules/typescript/bin/tsc', '-p', folder, '--noEmit').output;
const vitest = (project: string, ...args: string[]) => run('node_modules/vitest/vitest.mjs', 'run', '--project', project, ...args);

test('the recipe of a new endpoint is complete: the compiler and the tests name each place that the call is missing in', () => {
  const call = 'POST /web/alert-settings/reset';
  insert(
    'contract/alert-settings.ts',
    'export const alertSettingsEndpoints = endpoints({',
    `\n  '${call}': { summary: 'The settings of a new account', access: 'account', answer: alertSettings, errors: [] },`,
  );
  const missing = types('server');
  expect(missing).toMatch(/notifications\/settings-routes\.ts.*\n.*POST \/web\/alert-settings\/reset/);
  expect(missing).toMatch(/testing\/weakening\.test\.ts.*POST \/web\/alert-settings\/reset/);

  insert(
    'server/notifications/settings-routes.ts',
    "import type { SettingsStore } from './settings.ts';",
    "\nimport { defaultSettings } from './settings.ts';",
  );
  insert(
    'server/notifications/settings-routes.ts',
    'bind(app, gates, alertSettingsEndpoints, {',
    `\n    async '${call}'({ account }) {
      await db.transaction().execute((trx) => settings.set(trx, account, defaultSettings));
      return defaultSettings;
    },`,
  );
  insert('server/testing/weakening.test.ts', "  'GET /web/alert-settings': 'no',", `\n  '${call}': 'no',`);
  expect(types('server')).toBe('');

  const asking = vitest('server', 'testing/neighbours', '-t', 'each writing call of the contract');
  expect(asking.code).toBe(1);
  expect(asking.output).toContain(call);
  insert('server/testing/neighbours.test.ts', "  'POST /web/fire-drill': by('POST /web/fire-drill'),", `\n  '${call}': by('${call}'),`);
  const done = vitest(
    'server',
    'testing/neighbours',
    'testing/weakening',
    'testing/matrix',
    'testing/hostile-fields',
    '-t',
    `${call}|each`,
  );
  expect(done.output).not.toMatch(/FAIL|No test files/);
  expect(done.code).toBe(0);
});

test('the recipe of a new detector is complete: a file with a pure function and a table test, run by its folder', () => {
  write('agent/protection/detectors/example.ts', step('detector.ts.txt'));
  write('agent/protection/detectors/example.test.ts', step('detector.test.ts.txt'));
  expect(types('agent')).toBe('');
  const { code, output } = vitest('agent', 'protection/detectors/example');
  expect(output).toMatch(/Tests +2 passed/);
  expect(code).toBe(0);
});

test('the recipe of a new definition is complete: the check says what is wrong with the file, and accepts it once it is right', () => {
  const file = 'definitions/catalogue/acme-control.json';
  const definition = {
    identifier: 'acme-control',
    name: 'Acme Control',
    category: 'RemoteControl',
    allowlistable: true,
    programs: { names: [{ os: 'windows', name: 'AcmeControlHost.exe' }] },
    help: {
      what_it_is: 'Acme Control lets someone else see and use this computer from far away.',
      what_to_do: 'If someone on the phone asked for it, hang up. Do not call back the number they gave you.',
    },
  };
  const check = () => run('definitions/cli/main.ts', 'check');
  write(file, JSON.stringify(definition));
  const wrong = check();
  expect(wrong.output).toContain('acme-control');
  expect(wrong.code).toBe(1);
  write(file, JSON.stringify({ ...definition, sources: [{ name: 'The vendor’s page about Acme Control', facts: ['names'] }] }));
  const right = check();
  expect(right.output).toContain('nothing is wrong');
  expect(right.code).toBe(0);
});

test.skipIf(!findBrowser())('the recipe of a new screen is complete: a component, a row, a path, and a test that opens it', () => {
  write('dashboard/features/accounts/example-screen.tsx', step('screen.tsx.txt'));
  insert('dashboard/app/routes.tsx', 'export const routes: RouteRow[] = [', step('row.txt').trimEnd());
  insert('dashboard/lib/paths.ts', "  history: '/history',", "\n  example: '/example',");
  write('e2e/example.e2e.ts', step('screen.e2e.ts.txt'));
  expect(types('dashboard')).toBe('');
  const { code, output } = run('dev/test.ts', 'e2e/example.e2e.ts');
  expect(output).toMatch(/1 passed, 0 failed/);
  expect(code).toBe(0);
});
