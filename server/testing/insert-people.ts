import { randomUUID } from 'node:crypto';
import { limits } from '@porchlight/contract/limits.ts';
import { firstName } from '@porchlight/contract/names.ts';
import { planNames } from '@porchlight/contract/plans.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { completeSession } from '@porchlight/simulators/stripe/checkout.ts';
import { openSession } from '@porchlight/simulators/stripe/checkout-routes.ts';
import { newCustomer } from '@porchlight/simulators/stripe/customers.ts';
import type { StripeSimulator } from '@porchlight/simulators/stripe/stripe.ts';
import type { Db, Trx } from '../db/open.ts';
import { newDeviceCode, newNonce } from '../features/devices/codes.ts';
import { subFrom } from '../features/subscriptions/from-stripe.ts';
import { planAnnouncements } from '../features/subscriptions/lifecycle.ts';
import { enqueuer } from '../jobs/queue.ts';
import { after, type Clock } from '../lib/clock.ts';
import type { Sealer } from '../secrets/seal.ts';
import { newToken, tokenHash } from '../secrets/tokens.ts';
import { agentInfo } from './agent-info.ts';
import { family } from './pay.ts';

/**
 * People, plans and devices as rows. A test that is not about registration inserts what registration would have stored, in a twentieth of the
 * time. `insert-people.test.ts` compares every table with what the calls store, so a new column cannot be forgotten.
 */
export interface PeopleTables {
  db: Db;
  clock: Clock;
  /** Keyed hashes of addresses are stored beside an account. */
  sealer: Pick<Sealer, 'mac'>;
  /** The payment service, which knows each customer too. */
  shop: Pick<StripeSimulator, 'at' | 'subscribeWebhook'>;
  dashboard_url: string;
}

/** Of `correct horse battery`, the password of all test people; hashing it takes as long as all other rows of a person. */
const passwordHash = '$argon2id$v=19$m=19456,t=2,p=1$JhMA2qyY5uTlht3kQGqimg$j64S/jrrR0SHrnPErncrdL8or92Lcer0UMDeiMGMRCs';

/** `caller`: the address of the log-in; null for one on this computer, which the server does not store. */
export interface NewPerson {
  name: string;
  email: string;
  caller: string | null;
  register_promo_code?: string | null;
}

/** A person who has registered, confirmed the address and logged in, without a plan. Returns the session's token. */
export async function insertPerson(tables: PeopleTables, { name, email, caller, register_promo_code = null }: NewPerson) {
  const { db, clock, sealer } = tables;
  const now = clock.now();
  const account = randomUUID();
  const token = newToken();
  const session = { token_hash: tokenHash(token), uuid: randomUUID(), account, browser: 'A browser', created: now, last_used: now };
  const link = { purpose: 'confirm' as const, email, created: now, expires: after(now, serverLimits.confirm_link_life), used: now };
  await db.transaction().execute(async (trx) => {
    const person = { name, email, email_verified: true, password_hash: passwordHash, register_promo_code };
    await trx
      .insertInto('accounts')
      .values({ uuid: account, device_limit: 0, created: now, ...person })
      .execute();
    await trx
      .insertInto('sessions')
      .values({ ...session, password_time: now })
      .execute();
    await trx
      .insertInto('email_links')
      .values({ token_hash: tokenHash(newToken()), account, ...link })
      .execute();
    await trx
      .insertInto('known_browsers')
      .values({ account, token_hash: tokenHash(newToken()), created: now })
      .execute();
    const network_hash = Buffer.from(sealer.mac('network', caller ?? ''), 'base64url');
    if (caller !== null) await trx.insertInto('known_networks').values({ account, network_hash, used: now }).execute();
  });
  return { account, token, email };
}

/** A trial of a plan, ordered and paid at the payment service's simulator, which knows it afterwards. */
export async function insertPlan(tables: PeopleTables, person: { account: string; name: string; email: string }, price = family) {
  const { db, shop, clock, dashboard_url } = tables;
  const { account, name, email } = person;
  const metadata = { account };
  // The server would read the plan at these events, and what it stores is inserted.
  shop.subscribeWebhook([]);
  const bought = await shop
    .at((stripe) => {
      const knownEvents = new Set(Object.keys(stripe.state.events));
      const customer = newCustomer(stripe, { name, email: email.toLowerCase(), metadata });
      const session = openSession(stripe, {
        ...{ mode: 'subscription', customer: customer.id, client_reference_id: account, metadata },
        ...{ line_items: [{ price, quantity: 1 }], payment_method_collection: 'always', allow_promotion_codes: true },
        subscription_data: { metadata, trial_period_days: limits.trial_days },
        success_url: `${dashboard_url}/stripe/success`,
        cancel_url: `${dashboard_url}/stripe/cancel`,
      });
      completeSession(stripe, session, 'works');
      const delivered = Object.values(stripe.state.events).filter(
        ({ id, type }) => !knownEvents.has(id) && ['customer.created', 'checkout.session.completed'].includes(type),
      );
      for (const event of delivered) event.pending_webhooks = 0;
      const subscription = stripe.state.subscriptions[session.subscription ?? ''];
      return structuredClone({ customer, session, subscription, delivered, account_id: stripe.state.account_id });
    })
    .finally(() => shop.subscribeWebhook(null));
  const sub = bought.subscription && subFrom(bought.subscription as never, planNames[price] ?? '');
  if (!sub) throw new Error('the payment service began no subscription');
  const now = clock.now();
  const events = bought.delivered.map(({ id, type }) => ({ id, type, customer: bought.customer.id, created: now, received: now }));
  const announcements = planAnnouncements({
    ...{ clock, enqueue: enqueuer(clock), dashboard_url },
    personOf: async () => person,
  });
  await db.transaction().execute(async (trx: Trx) => {
    const { account_id: id } = bought;
    await trx
      .insertInto('payment_account')
      .values({ id, livemode: false, since: now })
      .onConflict((oc) => oc.doNothing())
      .execute();
    // The nightly check may have found this customer at the payment service already.
    const customer = { id: bought.customer.id, asked: 2, written: 2 };
    await trx
      .insertInto('customers')
      .values({ account, ...customer })
      .onConflict((oc) => oc.column('account').doUpdateSet(customer))
      .execute();
    await trx.insertInto('checkouts').values({ id: bought.session.id, account, price, created: now, done_at: now }).execute();
    await trx.insertInto('payment_events').values(events).execute();
    await trx
      .insertInto('subscriptions')
      .values({ ...sub, account })
      .onConflict((oc) => oc.column('id').doUpdateSet(sub))
      .execute();
    await announcements.announce(trx, account, [sub]);
  });
}

/** A device whose agent redeemed its code. `token`: of a session of the holder. Returns the agent's token. */
export async function insertDevice({ db, clock }: PeopleTables, token: string, name: string, policy = 'strict') {
  const now = clock.now();
  const { uuid: account } = await holderOf(db, token);
  const uuid = randomUUID();
  const agent = newToken();
  const device = {
    uuid,
    account,
    name,
    policy,
    created: now,
    installed: now,
    last_seen: now,
    days_seen: 1,
    info: JSON.stringify(agentInfo),
    enrol_id: randomUUID(),
  };
  const code = { code: newDeviceCode(), nonce: newNonce(), created: now, expires: after(now, serverLimits.device_code_life), used: now };
  await db.transaction().execute(async (trx) => {
    await trx.insertInto('devices').values(device).execute();
    await trx
      .insertInto('device_codes')
      .values({ ...code, device: uuid })
      .execute();
    await trx
      .insertInto('device_tokens')
      .values({ token_hash: tokenHash(agent), device: uuid, created: now })
      .execute();
    await trx
      .insertInto('hold_settings')
      .values({ account, first_connected: now })
      .onConflict((oc) => oc.column('account').doUpdateSet({ first_connected: now }).where('hold_settings.first_connected', 'is', null))
      .execute();
  });
  return { uuid, agent };
}

/**
 * The first guardian of an account, who opened the page of the invitation and accepted. Null where more than these rows would be stored: other
 * guardians are notified of a further one, and while an incident is open the call waits. `token`: of a session of the holder. Returns the
 * page's cookies.
 */
export async function insertGuardian({ db, clock, sealer }: PeopleTables, token: string, name: string, email: string) {
  const now = clock.now();
  const holder = await holderOf(db, token);
  const account = holder.uuid;
  const former = await db.selectFrom('guardians').select('uuid').where('account', '=', account).executeTakeFirst();
  const incident = db.selectFrom('incidents').select('uuid').where('account', '=', account).where('over', 'is', null);
  const added = db.selectFrom('activity_log').select('uuid').where('account', '=', account).where('kind', '=', 'guardian_added');
  if (former || (await incident.executeTakeFirst()) || (await added.executeTakeFirst())) return null;
  const [uuid, activity, cookie] = [randomUUID(), randomUUID(), newToken()];
  const xsrf = sealer.mac('guardian-xsrf', cookie);
  const session = { token_hash: tokenHash(cookie), guardian: uuid, key_version: 1, browser: 'A browser', created: now, last_used: now };
  const sent = { account, channel: 'mail' as const, state: 'sent' as const, tries: 1, time: now };
  await db.transaction().execute(async (trx) => {
    await trx.insertInto('guardians').values({ uuid, account, name, email, invited: now, accepted: now }).execute();
    await trx.insertInto('guardian_sessions').values(session).execute();
    await trx
      .insertInto('activity_log')
      .values({
        ...{ uuid: activity, account, kind: 'guardian_added', what: name, actor: firstName(holder.name), time: now, received: now },
        ...{ before: JSON.stringify({ guardian: uuid }), notified: 'by_itself' },
      })
      .execute();
    await trx
      .insertInto('deliveries')
      .values([
        { ...sent, key: `guardian:${uuid}:1`, kind: 'invitation', about: uuid, guardian: uuid, name },
        { ...sent, key: `act:${activity}:${account}:mail`, kind: 'act', about: activity, guardian: null, name: holder.name },
      ])
      .execute();
    await trx
      .updateTable('devices')
      .set((eb) => ({ policy_version: eb('policy_version', '+', 1) }))
      .where('account', '=', account)
      .execute();
  });
  const headers: Record<string, string> = { cookie: `guardian_session=${cookie}; XSRF-TOKEN=${xsrf}`, 'x-xsrf-token': xsrf };
  return { uuid, email, session: headers };
}

const holderOf = (db: Db, token: string) =>
  db
    .selectFrom('sessions')
    .innerJoin('accounts', 'accounts.uuid', 'sessions.account')
    .select(['accounts.uuid', 'accounts.name'])
    .where('sessions.token_hash', '=', tokenHash(token))
    .executeTakeFirstOrThrow();
