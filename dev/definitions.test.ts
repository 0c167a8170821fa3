import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './root.ts';

/** Only what is typed wrong: neither command opens anything before it has read that. */
const run = (...words: string[]) => spawnSync(process.execPath, [join(root, 'dev/definitions.mjs'), ...words], { encoding: 'utf8' });

test('"definitions reports" is asked of the server, and every other word of the catalogue', () => {
  const ofServer = run('reports', '--nonsense');
  expect([ofServer.status, ofServer.stderr]).toEqual([
    2,
    '"definitions reports" does not know --nonsense; npm run porchlight -- help shows every word.\n',
  ]);
  const ofCatalogue = run('nonsense');
  expect(ofCatalogue.status).toBe(2);
  expect(ofCatalogue.stderr).toContain('There is no command "nonsense". There are: match, check,');
});
