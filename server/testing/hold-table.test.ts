// Tier: whole. It tries every combination of family, caller and call.

import { isDeepStrictEqual } from 'node:util';
import { type ActivityKind, activityKind } from '@porchlight/contract/activity-log.ts';
import { type Api, api } from '@porchlight/contract/all.ts';
import { hour } from '@porchlight/contract/time.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decideHold, type HoldFacts, waitsForYes } from '../features/held-requests/decide.ts';
import { guardianMayAnswer, holderMayAnswer } from '../features/who-may-answer/may-answer.ts';
import { pathOf, type Weakening, type WeakeningTable, weakeningCalls, weakenings } from './hold-table-calls.ts';
import { type AskFirst, answers, type Caller, callers, decisions, type Family, type Trouble } from './hold-table-decisions.ts';
import { allCombinations, buildWorlds, type Combination, pairwiseCombinations, titleOf, type World } from './hold-table-worlds.ts';
import { agreeToChanges, type Reply, type TestServer, testServer } from './world.ts';

const now = new Date('2026-11-25T12:00:00Z');

const guardiansOf: Record<Family, HoldFacts['guardians']> = {
  'guardian of 72 hours': 'some',
  'new guardian': 'some',
  'no guardian': 'none',
  'removed yesterday': 'gone',
  'mum’s': 'some',
  'mum’s, alone': 'none',
  ...{ 'bought device': 'some', 'bought, with a detection': 'some', 'own and mum’s': 'some' },
};

describe('the table', () => {
  test('every combination has one line', () => {
    const line = (one: { family: Family; trouble: Trouble; ask_first: AskFirst }) => `${one.family}, ${one.trouble}, ${one.ask_first}`;
    const families = Object.keys(guardiansOf) as Family[];
    // Nothing is the second change on an account without a guardian (P9.1).
    const troublesOf = (family: Family): Trouble[] =>
      family === 'no guardian' || family === 'mum’s, alone' ? ['calm', 'incident'] : ['calm', 'incident', 'second'];
    const all = families.flatMap((family) =>
      troublesOf(family).flatMap((trouble) => (['off', 'on'] as const).map((ask_first) => line({ family, trouble, ask_first }))),
    );
    expect(decisions.map(line).toSorted()).toEqual(all.toSorted());
    expect(new Set(answers.map(({ family, from, proven_phone }) => `${family}, ${from}, ${proven_phone}`)).size).toBe(
      families.length * 3 * 2,
    );
  });

  test('the calls are those of the contract that can wait, and each kind that waits is logged by one', () => {
    const waiting = Object.entries(api).filter(([, { errors }]) => (errors as readonly string[]).includes('held'));
    expect(Object.keys(weakeningCalls).toSorted()).toEqual(waiting.map(([key]) => key).toSorted());
    const kinds = activityKind.options.filter((kind) => waitsForYes[kind]);
    expect([...new Set(weakenings.map(({ kind }) => kind))].toSorted()).toEqual(kinds.toSorted());
  });

  test('a call that is new in the contract does not compile without a row, nor does a row of a call that never waits', () => {
    type Later = Api & { 'POST /web/new': { errors: readonly ['held'] } };
    // @ts-expect-error The new call has no row.
    const missing: WeakeningTable<Later> = weakeningCalls;
    // @ts-expect-error Logging out never waits.
    const unknown: keyof typeof weakeningCalls = 'POST /web/logout';
    expect([missing, unknown]).toHaveLength(2);
  });

  test('each pair of values of two axes is among the chosen combinations', () => {
    const pairsOf = (combinations: Combination[]) =>
      new Set(
        combinations.flatMap(({ family, trouble, ask_first, caller }) => {
          const values = [family, trouble, `ask first ${ask_first}`, caller];
          return values.flatMap((a, n) => values.slice(n + 1).map((b) => `${a} & ${b}`));
        }),
      );
    expect([...pairsOf(pairwiseCombinations())].toSorted()).toEqual([...pairsOf(allCombinations())].toSorted());
  });
});

describe('the pure functions', () => {
  const kinds = activityKind.options;
  const waiting = [...new Set(weakenings.map(({ kind }) => kind))];
  const decided = ({ family, trouble, ask_first }: (typeof decisions)[number], caller: Caller, activities: ActivityKind[]) => {
    const near = caller === 'device’s address' || caller === 'agent’s window';
    const device = { someone_elses: family.startsWith('mum’s'), near };
    const others = family === 'own and mum’s' ? [{ someone_elses: true, near: false }] : [];
    const devices = [...others, device];
    const decision = decideHold({
      now,
      caller: caller === 'operator' ? 'operator' : 'holder',
      kinds: activities,
      incidents: trouble === 'incident' ? devices : [],
      ask_first: ask_first === 'on',
      about: devices,
      second: trouble === 'second',
      over_limit: false,
      password: caller !== 'no password',
      removes: null,
      guardians: guardiansOf[family],
      request: null,
    });
    return decision.passes ? decision.via : `${decision.cause} ${decision.rule}`;
  };
  const titled = decisions.map((line) => {
    const clause = line.ask_first === 'on' ? 'P10.3' : 'P10.1';
    return [clause, `${line.family}, ${line.trouble}, ask first ${line.ask_first}`, line] as const;
  });

  test.each(titled)('[%s] [P10.2] a call of %s is decided as its line says, for every kind that waits', (_clause, _title, line) => {
    for (const kind of waiting) {
      expect([kind, Object.fromEntries(callers.map((caller) => [caller, decided(line, caller, [kind])]))]).toEqual([kind, line.by]);
    }
  });

  test.each(kinds.filter((kind) => !waiting.includes(kind)))(
    '[P10.1] %s passes on every line, and does not let another one pass',
    (kind) => {
      for (const line of decisions) {
        for (const caller of callers) {
          expect(decided(line, caller, [kind])).toBe('free');
          expect(decided(line, caller, [kind, 'allowed'])).toBe(line.by[caller]);
        }
      }
    },
  );

  test.each(answers)('[P10.2] $family, from $from, proven phone $proven_phone: who may say yes', (line) => {
    const place = { near: line.from !== 'elsewhere', proven_phone: line.proven_phone };
    const age = line.family === 'new guardian' ? 72 * hour - 1 : 72 * hour;
    const accepted = new Date(now.getTime() - age);
    const [first_connected, about] = [new Date(now.getTime() - 1000 * hour), new Date(now.getTime() - hour)];
    const someone_elses = line.family.startsWith('mum’s');
    if (line.guardian !== null) expect(guardianMayAnswer({ accepted, first_connected, about, now }, place).may).toBe(line.guardian);
    expect(holderMayAnswer({ someone_elses, proof: 'counts' }, place).may).toBe(line.with_password);
    expect(holderMayAnswer({ someone_elses, proof: 'none' }, place).may).toBe(line.without_password);
  });
});

describe('the calls', () => {
  let server: TestServer;
  let worlds: World[];
  /** For yes: the calls of one family, and another whose guardian agrees to being removed. */
  let agreeing: World[];
  beforeAll(async () => {
    server = await testServer();
    const agrees: Combination = { family: 'guardian of 72 hours', trouble: 'incident', ask_first: 'on', caller: 'elsewhere' };
    const chosen = process.env.HOLD_TABLE === 'all' ? allCombinations() : pairwiseCombinations();
    const built = await buildWorlds(server, [agrees, agrees, ...chosen]);
    agreeing = built.slice(0, 2);
    worlds = built.slice(2);
    // Nobody reads the mails and texts about the calls, and sending them takes a seventh of the time of this file.
    await server.app.worker.close();
  }, 600_000);
  afterAll(() => server.close());

  type NamedWeakening = (typeof weakenings)[number];
  const make = (world: World, { key, params, body }: NamedWeakening) => world.call(pathOf(key, params?.(world)), body?.(world));
  // From the table: `GET /web/acts` also looks up how each of its entries can be undone, which takes a fifth of the time of this file.
  const loggedOf = async ({ account }: World, kind: ActivityKind) => {
    const logged = server.db.selectFrom('activity_log').where('account', '=', account).where('kind', '=', kind);
    return Number((await logged.select((eb) => eb.fn.countAll().as('n')).executeTakeFirstOrThrow()).n);
  };
  const readAll = async (world: World, { read, kind }: Weakening) => ({ value: await read(world), logged: await loggedOf(world, kind) });

  /** The gate's answer in the words of the table, or what is wrong with it. */
  const outcomeOf = (world: World, { status, body }: Reply) => {
    if (status === 200) return 'passes';
    if (status !== 409 || String(body.code) !== 'held') return `${status} ${String(body.code)}`;
    const { request, until, asked, because, by_server: _by, error: _words, code: _code, request_id: _id, ...others } = body;
    const because_of = String(because);
    const cause = because_of.startsWith('There was trouble on one of your computers')
      ? 'incident'
      : because_of.startsWith('You turned on Ask first')
        ? 'ask_first'
        : because_of;
    const wait = new Date(String(until)).getTime() - server.clock.now().getTime();
    const rule = wait === hour ? 'hour' : wait === 24 * hour ? 'day' : `${wait} ms`;
    // A guardian of under 72 hours is not named: their yes does not count yet.
    const isAsked = !['no guardian', 'new guardian', 'removed yesterday', 'mum’s, alone'].includes(world.family);
    if (!/^[0-9a-f-]{36}$/.test(String(request))) return `no request: ${String(request)}`;
    if (!isDeepStrictEqual(asked, isAsked ? ['Bob'] : [])) return `asked ${JSON.stringify(asked)}`;
    if (Object.keys(others).length) return `says also ${JSON.stringify(others)}`;
    return `${cause} ${rule}`;
  };

  /** Makes the call and describes its outcome, and whether that is also what happened. */
  const tried = async (world: World, weakening: NamedWeakening): Promise<string> => {
    const before = await readAll(world, weakening);
    const reply = await make(world, weakening);
    const after = await readAll(world, weakening);
    const outcome = outcomeOf(world, reply);
    const isUnchanged = isDeepStrictEqual(after, before);
    const becomes = weakening.becomes ?? after.value;
    const isChanged =
      isDeepStrictEqual(after.value, becomes) && !isDeepStrictEqual(before.value, becomes) && after.logged === before.logged + 1;
    // Other calls of this world come later: nothing may wait then, count towards the second change, or stop being somebody else's.
    if (outcome === 'passes') {
      await agreeToChanges(server);
      await server.db
        .updateTable('devices')
        .set(({ ref }) => ({ person_set: ref('created') }))
        .where('account', '=', world.account)
        .where('person_set', 'is not', null)
        .execute();
    } else await server.db.deleteFrom('held_requests').where('account', '=', world.account).execute();
    const isAsDecided = outcome === 'passes' ? isChanged : isUnchanged;
    return isAsDecided ? outcome : `${outcome}, but before ${JSON.stringify(before)}, after ${JSON.stringify(after)}`;
  };

  const expectedOf = ({ family, trouble, ask_first, caller }: World, { without_session }: Weakening) => {
    const line = decisions.find((one) => one.family === family && one.trouble === trouble && one.ask_first === ask_first);
    const decision = line?.by[without_session ? 'no password' : caller];
    return decision === 'free' || decision === 'own' ? 'passes' : decision;
  };

  const expectTable = async (weakening: NamedWeakening, ask_first: AskFirst) => {
    const possible = worlds.filter((world) => world.ask_first === ask_first && (weakening.possible?.(world) ?? true));
    const outcomes: Record<string, string> = {};
    const expected: Record<string, string | undefined> = {};
    for (const world of possible) {
      outcomes[titleOf(world)] = await tried(world, weakening);
      expected[titleOf(world)] = expectedOf(world, weakening);
    }
    expect(outcomes).toEqual(expected);
    return possible.length;
  };

  test.each(['off', 'on'] as const)(
    '[P10.2] a yes with ask first %s counts only from those who may give it, where they are',
    async (ask_first) => {
      const waiting = worlds.filter((world) => world.ask_first === ask_first && expectedOf(world, weakenings[0] as Weakening) !== 'passes');
      expect(waiting.length).toBeGreaterThan(5);
      const given: Record<string, unknown> = {};
      const expected: Record<string, unknown> = {};
      for (const world of waiting) {
        const from = world.caller === 'no password' ? 'elsewhere' : world.caller;
        const line = answers.find((one) => one.family === world.family && one.from === from && !one.proven_phone);
        const holder = world.caller === 'no password' ? line?.without_password : line?.with_password;
        // A guardian who was removed has no page.
        expected[titleOf(world)] = { guardian: line?.guardian ?? 'no page', holder };
        given[titleOf(world)] = { guardian: await yesOf(world, 'guardian'), holder: await yesOf(world, 'holder') };
      }
      expect(given).toEqual(expected);
    },
  );

  /** Says yes to a new request, and describes the answer in the words of the table; the call then passes or waits accordingly. */
  const yesOf = async (world: World, who: 'guardian' | 'holder') => {
    const reset = () => world.call('PATCH /web/alert-settings', { notify_after_days: 7 });
    const { request } = (await reset()).body;
    const key = `/requests/${String(request)}`;
    const { status, body } =
      who === 'holder'
        ? await world.call(`POST /web${key}`, { answer: 'yes' })
        : await world.asBob(`POST /guardian/:id${key}`, { answer: 'yes' });
    const { notify_after_days } = (await world.call('GET /web/alert-settings')).body;
    await server.db.deleteFrom('held_requests').where('account', '=', world.account).execute();
    if (Number(notify_after_days) !== 3) return 'changed already';
    if (status === 200) return 'yes';
    const words = { guardian_link_dead: 'no page', may_not_answer: 'no', code_needed: 'code', password_needed: 'password' };
    return new Map(Object.entries(words)).get(String(body.code)) ?? `${status} ${String(body.code)}`;
  };

  const titles = weakenings.map((weakening) => [weakening.key, weakening.kind, weakening] as const);

  // Ending *Ask first* changes nothing while it is off.
  const withoutSwitch = titles.filter(
    ([, , { possible }]) => possible?.({ family: 'mum’s', ask_first: 'off', caller: 'elsewhere' }) ?? true,
  );
  test.each(withoutSwitch)(
    '[P10.1] [P10.2] %s (%s) waits in an incident, changes nothing then, and passes otherwise',
    async (_key, _kind, weakening) => {
      expect(await expectTable(weakening, 'off')).toBeGreaterThanOrEqual(weakening.kind === 'helping' ? 1 : 5);
    },
  );

  test.each(titles)('[P10.3] %s (%s) waits on an account that asks first, and changes nothing', async (_key, _kind, weakening) => {
    expect(await expectTable(weakening, 'on')).toBeGreaterThanOrEqual(weakening.kind === 'helping' ? 1 : 5);
  });

  // On an own computer, as in this family, no holder opens an appointment; see `appointments.test.ts`.
  const answerable = titles.filter(([, kind]) => kind !== 'helping');
  test.each(answerable)('[P10.1] %s (%s) passes after a yes', async (_key, kind, weakening) => {
    const world = agreeing[kind === 'guardian_removed' ? 1 : 0] as World;
    const before = await readAll(world, weakening);
    const { request } = (await make(world, weakening)).body;
    expect(await readAll(world, weakening)).toEqual(before);
    expect(await world.asBob(`POST /guardian/:id/requests/${String(request)}`, { answer: 'yes' })).toMatchObject({ status: 200 });
    expect(await readAll(world, weakening)).toEqual(before);
    expect(await make(world, weakening)).toMatchObject({ status: 200 });
    const after = await readAll(world, weakening);
    expect(after.logged).toBe(before.logged + 1);
    expect(after.value).not.toEqual(before.value);
    if (weakening.becomes !== undefined) expect(after.value).toEqual(weakening.becomes);
  });
});
