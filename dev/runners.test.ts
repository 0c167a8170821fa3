import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { root } from './root.ts';
import { runPlaywright, runVitest } from './runners.ts';
import type { Tally } from './tally.ts';
import { retriesVariable } from './tiers.ts';

const onePasses = "test('one', () => {});";
const flaky = "let tries = 0; test('two', () => { if (!tries++) throw new Error('too early'); });";
const vitestFiles = {
  'socket.test.js': `
    import { EventEmitter } from 'node:events';
    test('a visitor goes away', async () => {
      setImmediate(() => new EventEmitter().emit('error', new Error('read ECONNRESET')));
      await new Promise((done) => setImmediate(() => setImmediate(done)));
    });`,
  'promise.test.js': `${onePasses} void Promise.reject(new Error('nobody waits for this'));`,
  'hook.test.js': `${onePasses} describe('a suite', () => { beforeAll(() => { throw new Error('no such port'); }); ${onePasses} });`,
  'broken.test.js': `import './nowhere.js'; ${onePasses}`,
  'fails.test.js': "test('three', () => { throw new Error('not three'); }); test.skip('four', () => {}); test.todo('five');",
  'flaky.test.js': flaky,
  'setup.js': "export default () => () => { throw new Error('the folder is not empty'); };",
  'vitest.config.mjs': `export default { test: { globals: true, globalSetup: './setup.js', retry: Number(process.env.${retriesVariable}) } };`,
};
/** A second try has a new process, which knows only what files say. */
const flakyInBrowser =
  "test('two', () => { if (!existsSync('FILE')) { writeFileSync('FILE', ''); throw new Error('too early'); } expect(1).toBe(1); });";
const playwrightFiles = {
  'a.test.mjs': `import { existsSync, writeFileSync } from 'node:fs';
    import { expect, test } from '${root}/node_modules/@playwright/test/index.mjs';
    ${onePasses} ${flakyInBrowser}
    test('three', () => { throw new Error('not three'); }); test.skip('four', () => {});`,
  'broken.test.mjs': "import './nowhere.mjs';",
  'playwright.config.mjs': `export default { testDir: '.', testMatch: process.env.ONLY, retries: Number(process.env.${retriesVariable}) };`,
};

/** What it prints is dropped: a reader of the log would take it for a failure. */
async function quietly(files: Record<string, string>, run: (folder: string) => Promise<Tally>) {
  const folder = mkdtempSync(join(tmpdir(), 'porchlight-runners-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text.replaceAll('FILE', join(folder, 'tried')));
  const printed = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const tally = await run(folder).finally(() => printed.mockRestore());
  const firstLines = (texts: string[]) => texts.map((text) => text.split('\n').slice(0, 2).join('\n')).toSorted();
  return {
    ...tally,
    texts: firstLines(tally.failures),
    flakyTexts: firstLines(tally.flaky),
    at: (name: string) => join(folder, name),
  };
}

test('Vitest: what failed is repeated, also of a socket, a promise, a hook, a file that does not load and a global teardown; what passed at its second try is named as flaky', async () => {
  const result = await quietly(vitestFiles, (folder) =>
    runVitest(['--root', folder], { printLater: true, env: { [retriesVariable]: '1' } }),
  );
  const { at, texts } = result;
  expect(result).toMatchObject({
    passed: 4,
    skipped: 3,
    flakyTexts: [expect.stringMatching(/flaky\.test\.js › two\n {4}Error: too early$/)],
  });
  expect(texts).toEqual(
    [
      `${at('hook.test.js')} › a suite\n    Error: no such port`,
      `${at('promise.test.js')} › outside the tests\n    Unhandled Rejection: Error: nobody waits for this`,
      `${at('socket.test.js')} › a visitor goes away\n    Uncaught Exception: Error: read ECONNRESET`,
      `${at('broken.test.js')} › the file itself\n    Error: Cannot find module './nowhere.js' imported from ${at('broken.test.js')}`,
      `${at('fails.test.js')} › three\n    Error: not three`,
      'vitest › outside the tests\n    error during close: Error: the folder is not empty',
    ].toSorted(),
  );
  for (const failure of result.failures) expect(failure.split('\n').length).toBeLessThanOrEqual(13);
});

test('Vitest: a strict run fails with a test that would pass at its second try', async () => {
  const { 'flaky.test.js': file, 'vitest.config.mjs': config } = vitestFiles;
  const files = { 'flaky.test.js': file, 'setup.js': 'export default () => {};', 'vitest.config.mjs': config };
  const result = await quietly(files, (folder) => runVitest(['--root', folder], { printLater: true, env: { [retriesVariable]: '0' } }));
  expect(result).toMatchObject({ passed: 0, flaky: [], texts: [`${result.at('flaky.test.js')} › two\n    Error: too early`] });
});

test.each([
  ['what failed is repeated, and what passed at its second try is named as flaky', '1', 2, ['three'], ['two']],
  ['a strict run fails with a test that would pass at its second try', '0', 1, ['three', 'two'], []],
])('Playwright: %s', async (_, retries, passed, failed, flakyTitles) => {
  const result = await quietly(playwrightFiles, (folder) =>
    runPlaywright('runners', ['--config', folder], { printLater: true, env: { [retriesVariable]: retries, ONLY: 'a.test.mjs' } }),
  );
  const textOf = (title: string) => `${result.at('a.test.mjs')} › ${title}\n    Error: ${title === 'two' ? 'too early' : 'not three'}`;
  expect(result).toMatchObject({ passed, skipped: 1, texts: failed.map(textOf), flakyTexts: flakyTitles.map(textOf) });
});

test('Playwright: a file that does not load is a failure outside the tests', async () => {
  const result = await quietly(playwrightFiles, (folder) =>
    runPlaywright('runners', ['--config', folder], { printLater: true, env: { ONLY: 'broken.test.mjs' } }),
  );
  expect(result.passed).toBe(0);
  expect(result.texts[0]).toMatch(/^playwright › outside the tests\n.*nowhere\.mjs/);
});

test('the tests of the product are tried as often as the run says', async () => {
  vi.stubEnv(retriesVariable, '1');
  onTestFinished(() => void vi.unstubAllEnvs());
  const configOf = async (name: string) =>
    ((await import(pathToFileURL(join(root, `${name}.config.ts`)).href)) as { default: { retries: number; test: { projects: unknown } } })
      .default;
  const [vitest, playwright] = [await configOf('vitest'), await configOf('playwright')];
  const projects = vitest.test.projects as { test: { retry: number } }[];
  expect(projects.length).toBeGreaterThan(8);
  expect(new Set([...projects.map(({ test: { retry } }) => retry), playwright.retries])).toEqual(new Set([1]));
});
