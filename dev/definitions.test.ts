import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './root.ts';

/** Tests use wrong arguments only, since a command parses its arguments before it opens anything. */
const run = (...args: string[]) => spawnSync(process.execPath, [join(root, 'dev/definitions.mjs'), ...args], { encoding: 'utf8' });

test('npm run definitions passes "reports" to the server\'s command, and every other word to the catalogue\'s command', () => {
  const serverResult = run('reports', '--nonsense');
  expect([serverResult.status, serverResult.stderr]).toEqual([
    2,
    '"definitions reports" does not know --nonsense; npm run porchlight -- help shows every word.\n',
  ]);
  const catalogueResult = run('nonsense');
  expect(catalogueResult.status).toBe(2);
  expect(catalogueResult.stderr).toContain('There is no command "nonsense"; npm run -s definitions -- help shows every word.');
});
