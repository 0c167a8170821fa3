import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { statementsOf } from '../../testing/statements.ts';
import { newcomer, testServer } from '../../testing/world.ts';
import { subscriptionStore } from './store.ts';

const statuses = ['trialing', 'active', 'past_due', 'unpaid', 'paused', 'incomplete', 'incomplete_expired', 'canceled'];
const grants = [{}, { external: true }, { lifetime: true }, { device_limit: 2 }];

test('[6.4] a member’s call is answered where the plan is valid, for each grant and each pair of subscriptions', async () => {
  const server = await testServer();
  try {
    const { token, email } = await newcomer(server);
    const other = await newcomer(server);
    const store = subscriptionStore(server.db, server.clock);
    const accountOf = async (address: string) =>
      (await server.db.selectFrom('accounts').select('uuid').where('email', '=', address).executeTakeFirstOrThrow()).uuid;
    const [account, otherAccount] = [await accountOf(email), await accountOf(other.email)];
    const now = server.clock.now();
    const sub = (status: string, device_limit: number) => ({
      ...{ id: randomUUID(), status, price: 'price', plan: 'Plan', amount: 100, interval: 'year' as const, device_limit, created: now },
      ...{ trial_end: null, period_end: now, ends: null, ended_at: null, invoice: null },
    });
    // A stranger's plan changes nothing.
    await server.db.transaction().execute((trx) => store.write(trx, otherAccount, [sub('active', 5)]));
    const answers = new Set<string>();
    for (const grant of grants) {
      await server.db
        .updateTable('accounts')
        .set({ external: false, lifetime: false, device_limit: 0, ...grant })
        .where('uuid', '=', account)
        .execute();
      for (const pair of [[], ...statuses.map((status) => [status]), ...statuses.map((status) => ['canceled', status])]) {
        const subs = pair.map((status) => sub(status, 0));
        await server.db.transaction().execute((trx) => store.write(trx, account, subs));
        const expected = await store.isValid(account);
        const { status, body } = await server.call('GET /web/devices', { token });
        expect([status, body.code], JSON.stringify({ grant, pair })).toEqual(expected ? [200, undefined] : [403, 'not_subscribed']);
        answers.add(`${Object.keys(grant).join()} ${pair.join()} ${status}`);
      }
    }
    expect(answers.size).toBe(grants.length * (1 + 2 * statuses.length));
    expect([...answers].filter((answer) => answer.endsWith(' 403'))).toHaveLength(11);
  } finally {
    await server.close();
  }
});

test('a member’s call reads the session and the plan in one statement', async () => {
  const server = await testServer();
  try {
    const { token, email } = await newcomer(server);
    await server.db.updateTable('accounts').set({ lifetime: true }).where('email', '=', email).execute();
    // The worker sends this server's statements too, and rests once the emails of the registration are in the mailbox.
    await server.mailsTo(email);
    const statements = await statementsOf(async () => expect((await server.call('GET /web/devices', { token })).status).toBe(200));
    const tables = ['"sessions"', '"subscriptions"', '"devices"'];
    expect(statements.map(({ text }) => tables.filter((table) => text.includes(table)))).toEqual([tables.slice(0, 2), tables.slice(2)]);
  } finally {
    await server.close();
  }
});
