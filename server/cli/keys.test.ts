import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandsOf } from '../testing/command.ts';
import { type TestServer, testServer } from '../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

const run = commandsOf(() => server, { SECRET_KEY: 'a secret key for tests, thirty-two characters' });
async function state() {
  const keys = await server.db.selectFrom('server_keys').select(['purpose', 'public_key']).orderBy('purpose').execute();
  const { version } = await server.db.selectFrom('definition_sets').select('version').orderBy('version', 'desc').executeTakeFirstOrThrow();
  return { keys: new Map(keys.map(({ purpose, public_key }) => [purpose, public_key])), version };
}

test.each([
  [
    [],
    'The old key for policies is good for ten more minutes, links that were given out before for seven days, and the old key for definitions not any more.',
  ],
  [['--stolen'], 'What the old keys signed is not taken any more: links that were given out before are dead.'],
])(
  'one command changes the keys for policies, links and definitions, says each, and leaves the root as it is: %s',
  async (options, lastLine) => {
    const before = await state();
    expect(await run('keys', 'rotate', ...options)).toEqual({
      code: 0,
      out: `There is a new key for policies.\nThere is a new key for links.\nThere is a new key for definitions.\n${lastLine}\n`,
      err: '',
    });
    const after = await state();
    const changed = [...after.keys].filter(([purpose, key]) => before.keys.get(purpose) !== key).map(([purpose]) => purpose);
    expect(changed).toEqual(expect.arrayContaining(['link', 'policy']));
    expect(changed.some((purpose) => purpose.includes('root'))).toBe(false);
    expect(changed).toHaveLength(3);
    expect(after.version).toBe(before.version + 3);
  },
);

test('the commands for single keys change only theirs', async () => {
  const before = await state();
  expect((await run('keys', 'rotate-policy')).code).toBe(0);
  const after = await state();
  expect([...after.keys].filter(([purpose, key]) => before.keys.get(purpose) !== key).map(([purpose]) => purpose)).toEqual(['policy']);
});
