import { expect } from '@playwright/test';
import { call } from '@porchlight/dev/call.ts';
import { acceptedGuardian } from '@porchlight/dev/guardians.ts';
import { until } from '@porchlight/dev/until.ts';
import { inDatabase } from '../lib/database.ts';
import { bobOf, incidentOf, minute, stopAnyDesk } from './around-steps.ts';
import type { Household } from './household.ts';
import type { Way } from './way.ts';

const [annsNumber, bobsNumber, mallorysNumber] = ['+12025550143', '+12025550101', '+12025550199'] as const;

/** Ann and Bob have phones that were proven long ago, Ann gets texts, and has agreed to be called. */
async function givePhones(household: Household): Promise<void> {
  const { town, ann, device } = household;
  const phone_verified_time = new Date(Date.now() - 100 * 60 * minute);
  const proven = { phone_number_verified: true, phone_verified_time };
  await inDatabase(town.world, async (db) => {
    const account = await db
      .updateTable('accounts')
      .set({ ...proven, phone_number: annsNumber })
      .where('email', '=', ann.email)
      .execute();
    expect(account).toHaveLength(1);
    await db
      .updateTable('guardians')
      .set({ ...proven, phone_number: bobsNumber })
      .where('uuid', '=', bobOf(household).uuid)
      .execute();
    await db.insertInto('call_consents').values({ device, phone_number: annsNumber, asked: new Date(), agreed: new Date() }).execute();
  });
  await call(town.world.url, 'PATCH /web/alert-settings', { token: ann.token, body: { sms: true } });
}

/** A press on the page of the simulated phones. */
const press = ({ town }: Household, path: string, field: Record<string, string>) =>
  fetch(`${town.world.url}/dev/mailbox/${path}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { ...town.world.simulatorCookie(), 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(field),
  });

interface Phones {
  texts: { id: string; to: string }[];
  calls: { id: string; to: string; state: string }[];
}
const phones = async ({ town }: Household) =>
  (await (await fetch(`${town.world.url}/dev/mailbox.json`, { headers: town.world.simulatorCookie() })).json()) as Phones;

/** The caller at the victim’s own phone. */
export const phoneWays: Way[] = [
  {
    title: 'The victim answers our text to her own phone with 1, and presses 1 in our call to her',
    flow: null,
    outcome: 'held',
    async run(household) {
      await givePhones(household);
      const incident = await stopAnyDesk(household);
      const text = await until('a text to Ann', async () => (await phones(household)).texts.find(({ to }) => to === annsNumber));
      await press(household, `text/${text.id}`, { body: '1' });
      await household.pass(4 * minute);
      await household.pass(7 * minute);
      const ringing = async () => (await phones(household)).calls.find(({ to, state }) => to === annsNumber && state === 'ringing');
      const { id } = await until('a call to Ann', ringing);
      for (const action of ['answer', '1']) await press(household, `call/${id}`, { do: action });
      expect(await incidentOf(household, incident)).toMatchObject({ state: 'open', on_it: [], escalation: { state: 'running' } });
    },
  },
  {
    title: 'The caller is added as a guardian and put first, and presses 1 when he is called before Bob',
    flow: null,
    outcome: 'held',
    async run(household) {
      const { town, ann } = household;
      await givePhones(household);
      const { uuid } = await acceptedGuardian(town.world, ann, 'Mallory');
      await inDatabase(town.world, (db) =>
        db
          .updateTable('guardians')
          .set({ phone_number: mallorysNumber, phone_number_verified: true, phone_verified_time: new Date() })
          .where('uuid', '=', uuid)
          .execute(),
      );
      await call(town.world.url, 'PUT /web/guardians/order', { token: ann.token, body: { order: [uuid, bobOf(household).uuid] } });
      await stopAnyDesk(household);
      await household.pass(4 * minute);
      await household.pass(3 * minute);
      const callTo = async (number: string) => (await phones(household)).calls.find(({ to }) => to === number);
      const { id } = await until('a call to the caller', () => callTo(mallorysNumber));
      for (const action of ['answer', '1', 'hangUp']) await press(household, `call/${id}`, { do: action });
      await until('a call to Bob', () => callTo(bobsNumber));
    },
  },
];
