import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { root } from './root.ts';
import { runVitest } from './runners.ts';
import { failuresOf, sumsOf } from './tally.ts';

const onePasses = "test('one', () => {});";
const brokenFiles = {
  'socket.test.js': `
    import { EventEmitter } from 'node:events';
    test('a visitor goes away', async () => {
      setImmediate(() => new EventEmitter().emit('error', new Error('read ECONNRESET')));
      await new Promise((done) => setImmediate(() => setImmediate(done)));
    });`,
  'promise.test.js': `${onePasses} void Promise.reject(new Error('nobody waits for this'));`,
  'hook.test.js': `${onePasses} describe('a suite', () => { beforeAll(() => { throw new Error('no such port'); }); ${onePasses} });`,
  'setup.js': "export default () => () => { throw new Error('the folder is not empty'); };",
  'vitest.config.mjs': "export default { test: { globals: true, globalSetup: './setup.js' } };",
};

test('errors outside the tests are repeated in the summary: of a socket, a promise, a hook of a suite and a global teardown', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'porchlight-runners-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(brokenFiles)) writeFileSync(join(folder, name), text);
  // What it prints is dropped: a reader of the log would take it for a failure.
  const printed = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const result = await runVitest(join(folder, 'report.json'), ['--root', folder], { printLater: true });
  printed.mockRestore();

  expect(sumsOf([result])).toEqual({ passed: 3, failed: 4, skipped: 1 });
  const nameOf = (file: string) => relative(root, join(folder, file));
  expect(
    failuresOf(result)
      .map((failure) => failure.split('\n').slice(0, 2))
      .toSorted(),
  ).toEqual(
    [
      [`${nameOf('hook.test.js')} › a suite`, '    Error: no such port'],
      [`${nameOf('promise.test.js')} › outside the tests`, '    Unhandled Rejection: Error: nobody waits for this'],
      [`${nameOf('socket.test.js')} › a visitor goes away`, '    Uncaught Exception: Error: read ECONNRESET'],
      ['vitest › outside the tests', '    error during close: Error: the folder is not empty'],
    ].toSorted(),
  );
  for (const failure of failuresOf(result)) expect(failure.split('\n').length).toBeLessThanOrEqual(13);
});
