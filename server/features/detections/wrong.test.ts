import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { day } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { porchlight } from '../../testing/command.ts';
import { detection, linkedDevice, person, type TestServer, testServer } from '../../testing/world.ts';

/** *This was wrong* (P9.6) reports the match to the operator without personal data. */

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

async function holder(name?: string) {
  const { token } = await person(server, name);
  const { agent } = await linkedDevice(server, token, 'Secret name of a PC');
  const report = async (overrides = {}) => {
    const newDetection = detection(server, overrides);
    await server.call('POST /agent/detections', { token: agent, body: { detections: [newDetection] } });
    return newDetection.uuid;
  };
  const reportWrong = (uuid: string) => server.call(`POST /web/detections/${uuid}/wrong`, { token });
  return { token, report, wrong: reportWrong };
}
const reports = async (...args: string[]) => {
  const { database_url: DATABASE_URL, config } = server;
  const result = await porchlight(['definitions', 'reports', ...args], { DATABASE_URL, DATA_DIR: config.data_dir });
  expect([result.code, result.err]).toEqual([0, '']);
  return result.out.trim().split('\n');
};

test('[P9.6] the operator sees what was matched and how often, one report per alert, without users and folders', async () => {
  const [ann, eve] = [await holder('Anneliese Example'), await holder('Eve Other')];
  const folder = 'C:\\Users\\Anneliese Example\\Downloads\\';
  const alert = await ann.report({ details: `${folder}helper.exe (still running: ${folder}other.exe)`, certainty: 'likely' });
  expect(await ann.wrong(alert)).toMatchObject({ status: 200, body: { uuid: alert, wrong: true } });
  expect((await ann.wrong(alert)).status).toBe(200);
  const site = await ann.report({ name: 'shop.example', identifier: 'sites', category: 'ScamWebsite', details: 'shop.example' });
  await ann.wrong(site);
  const correctAlert = await ann.report({ identifier: 'teamviewer', name: 'TeamViewer' });
  server.clock.turn(day);
  await eve.wrong(await eve.report({ details: '/home/eve/helper.exe', certainty: 'likely' }));
  expect(await reports()).toEqual([
    '2 times: the program helper.exe taken for AnyDesk (anydesk, RemoteControl, likely), from 2026-11-21 to 2026-11-22',
    'once: the site shop.example (sites, ScamWebsite, likely), on 2026-11-21',
  ]);
  const shownAlerts = (await server.call('GET /web/detections', { token: ann.token })).body.items as unknown as {
    uuid: string;
    wrong: boolean;
  }[];
  expect(Object.fromEntries(shownAlerts.map(({ uuid, wrong }) => [uuid, wrong]))).toEqual({
    [alert]: true,
    [site]: true,
    [correctAlert]: false,
  });
  const rows = JSON.stringify(await server.db.selectFrom('wrong_matches').selectAll().execute());
  for (const secret of ['Anneliese', 'Eve', 'eve', 'Users', 'Secret', alert]) expect(rows).not.toContain(secret);
  expect(rows).toContain('helper.exe');
});

test('[P9.6] [P12.7] the operator sees which evidence led to a match, but no origin and no login name', async () => {
  await server.db.deleteFrom('wrong_matches').execute();
  const [ann, eve] = [await holder(), await holder()];
  await eve.wrong(await eve.report({ details: 'C:\\x\\photos.exe', why: 'signer=example, name=photos' }));
  for (const overrides of [
    { details: 'C:\\x\\photos.exe', why: 'product=anydesk' },
    {
      category: 'PastedCommand',
      identifier: 'command-1',
      name: 'A pasted command',
      details: 'cdn.example',
      why: 'command=download-and-run',
    },
    { category: 'NewProgram', identifier: 'new-1', name: 'setup.exe', details: 'C:\\x\\setup.exe', why: 'origin=diary-of-ann.example' },
    { category: 'Door', identifier: 'door-administrator', name: 'A new administrator', details: 'grandson', why: 'door=administrator' },
  ])
    await ann.wrong(await ann.report(overrides));
  expect((await reports()).toSorted()).toEqual([
    'once: a pasted command with cdn.example in it (command-1, PastedCommand, likely, by command=download-and-run), on 2026-11-22',
    'once: the change of a setting, A new administrator (door-administrator, Door, likely), on 2026-11-22',
    'once: the program photos.exe taken for AnyDesk (anydesk, RemoteControl, likely, by product=anydesk), on 2026-11-22',
    'once: the program photos.exe taken for AnyDesk (anydesk, RemoteControl, likely, by signer=example, name=photos), on 2026-11-22',
    'once: the program setup.exe taken for setup.exe (new-1, NewProgram, likely), on 2026-11-22',
  ]);
  const rows = JSON.stringify(await server.db.selectFrom('wrong_matches').selectAll().execute());
  for (const secret of ['grandson', 'diary-of-ann']) expect(rows).not.toContain(secret);
});

test('wrong reports are limited per account and day', async () => {
  const [ann, eve] = [await holder(), await holder()];
  const alerts: string[] = [];
  for (let n = 0; n <= serverLimits.wrong_alerts_per_day; n++)
    alerts.push(await ann.report({ identifier: `thing-${n}`, name: `Thing ${n}` }));
  const lastAlert = alerts.pop() ?? '';
  for (const alert of alerts) expect((await ann.wrong(alert)).status).toBe(200);
  expect(await ann.wrong(lastAlert)).toMatchObject({ status: 429, body: { code: 'too_many' } });
  expect((await server.call(`GET /web/detections/${lastAlert}`, { token: ann.token })).body.wrong).toBe(false);
  expect((await eve.wrong(await eve.report())).status).toBe(200);
});

test("the operator's list of wrong matches says when it is empty, shows fifty matches and the number of others, and all on request", async () => {
  await server.db.deleteFrom('wrong_matches').execute();
  expect(await reports()).toEqual(['Nobody has called an alert wrong.']);
  const matchFields = {
    category: 'ScamWebsite',
    certainty: 'certain',
    file: '',
    evidence: '',
    first_day: '2026-11-20',
    last_day: '2026-11-20',
  } as const;
  const matchRows = Array.from({ length: 52 }, (_, n) => ({
    ...matchFields,
    identifier: 'sites',
    name: `site-${n}.example`,
    count: 100 - n,
  }));
  await server.db.insertInto('wrong_matches').values(matchRows).execute();
  const lines = await reports();
  expect([lines.length, lines.at(-1)]).toEqual([51, 'And 2 more; --all shows every one.']);
  expect((await reports('--all')).length).toBe(52);
});
