import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type Person, validPassword } from '@porchlight/dev/people.ts';
import type { World } from '@porchlight/dev/world.ts';
import { openDb } from '@porchlight/server/db/open.ts';
import { systemClock } from '@porchlight/server/lib/clock.ts';
import { sharedDocument } from '@porchlight/server/lib/shared-document.ts';
import { sealer } from '@porchlight/server/secrets/seal.ts';
import { secretKeyFile } from '@porchlight/server/secrets/secret-key.ts';
import { insertDevice, insertPerson, insertPlan, type PeopleTables } from '@porchlight/server/testing/insert-people.ts';
import { newShop } from '@porchlight/simulators/stripe/local.ts';
import { openStripeSimulator } from '@porchlight/simulators/stripe/stripe.ts';

/** A person with a confirmed email, a login, and the trial of a plan for five devices. The rows are inserted, and no email is sent. */
export const registeredPerson = (world: World, name = 'Ann Example'): Promise<Person> =>
  withTables(world, async (tables) => {
    const { account, ...person } = await insertNamed(tables, name);
    await insertPlan(tables, { account, name, email: person.email });
    return person;
  });

/** The same without a plan. */
export const confirmedPerson = (world: World, name = 'Ann Example'): Promise<Person> =>
  withTables(world, async (tables) => {
    const { account: _, ...person } = await insertNamed(tables, name);
    return person;
  });

/** A linked device with a token but no agent: for tests that call the server themselves. */
export const linkedDevice = (world: World, person: { token: string }, name = 'Den PC'): Promise<{ uuid: string; token: string }> =>
  withTables(world, async (tables) => {
    const { uuid, agent } = await insertDevice(tables, person.token, name);
    return { uuid, token: agent };
  });

/** A guardian’s number proves who answers (P10.2). `guardian`: the id. */
export const provenPhone = (world: World, guardian: string, phone_number: string): Promise<unknown> =>
  withTables(world, ({ db, clock }) =>
    db
      .updateTable('guardians')
      .set({ phone_number, phone_number_verified: true, phone_verified_time: clock.now() })
      .where('uuid', '=', guardian)
      .execute(),
  );

async function insertNamed(tables: PeopleTables, name: string): Promise<Person & { account: string }> {
  // A log-in on this computer: its address is not stored.
  const person = await insertPerson(tables, { name, email: `${randomUUID()}@example.org`, caller: null });
  return { ...person, password: validPassword };
}

async function withTables<T>(world: World, work: (tables: PeopleTables) => Promise<T>): Promise<T> {
  const { db, close } = openDb(await world.databaseUrl(), 1);
  try {
    const secret = (await readFile(secretKeyFile(world.dataDir), 'utf8')).trim();
    // The server's own simulator delivers events; this one only writes into the same shop.
    const shop = await openStripeSimulator({
      document: await sharedDocument(db, 'test_shop', newShop(systemClock)),
      ...{ clock: systemClock, pages_url: `${world.url}/dev/payments`, send: async () => 200, alone: true },
    });
    const tables = { db, clock: systemClock, sealer: sealer(secret), shop, dashboard_url: world.dashboardUrl };
    return await work(tables).finally(shop.close);
  } finally {
    await close();
  }
}
