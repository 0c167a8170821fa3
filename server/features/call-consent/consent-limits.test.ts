import { day } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ConsentFamily, consentFamily, newNumber } from '../../testing/consent-family.ts';
import { phoneOf } from '../../testing/phone-calls.ts';
import { person, type TestServer, testServer } from '../../testing/world.ts';

let server: TestServer;
const family = (more = {}) => consentFamily(server, more);
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

/** Asks as often as this, with nobody picking up, and returns the answers. */
async function asks({ call }: ConsentFamily, times: number, number: string) {
  const codes: unknown[] = [];
  for (let n = 0; n < times; n++) {
    server.clock.turn(1000);
    const { status, body } = await call('POST');
    codes.push(body.code ?? status);
    if (status === 200) await phoneOf(server, number).ignores();
  }
  return codes;
}

test('[P11.5] a number is called three times a day for all accounts together, and no number is stored in the counts', async () => {
  const [ann, carol] = [await family(), await family()];
  const dave = await family({ phone_number: ann.phone_number });
  expect(await asks(ann, 2, ann.phone_number)).toEqual([200, 200]);
  expect(await asks(dave, 2, ann.phone_number)).toEqual([200, 'calls_spent']);
  expect(await asks(carol, 1, carol.phone_number)).toEqual([200]);
  const counts = await server.db.selectFrom('rate_counts').select('key').where('key', 'like', 'consent%').execute();
  expect(counts.length).toBeGreaterThan(0);
  expect(counts.filter(({ key }) => key.includes(ann.phone_number))).toEqual([]);
  server.clock.turn(day);
  expect(await asks(dave, 1, ann.phone_number)).toEqual([200]);
});

test('[P11.5] an account makes five calls for consent a day, to whichever numbers', async () => {
  const ann = await family();
  for (const expected of [200, 200, 200, 200, 200, 'calls_spent']) {
    const phone_number = newNumber();
    await ann.uses({ ...ann.user, phone_number });
    expect(await asks(ann, 1, phone_number)).toEqual([expected]);
  }
  server.clock.turn(day);
  expect((await ann.call('POST')).status).toBe(200);
});

test('[P11.5] nobody is called by an account whose address is not confirmed, or in a country that the operator did not choose', async () => {
  const other = await testServer({ TEXT_COUNTRIES: 'US' });
  const { token } = await person(other);
  const user = { name: 'Mum', phone_number: '+447400123456', is_holder: false };
  const { uuid } = (await other.call('POST /web/create-device', { token, body: { name: 'Laptop', policy: null, person: user } })).body;
  const call = () => other.call(`POST /web/devices/${uuid}/call-consent`, { token });
  expect(await call()).toMatchObject({ status: 422, body: { code: 'phone_country' } });
  await other.db.updateTable('accounts').set({ email_verified: false }).execute();
  expect(await call()).toMatchObject({ status: 403, body: { code: 'email_unverified' } });
  expect(await other.db.selectFrom('calls').select('uuid').execute()).toEqual([]);
  await other.close();
});
