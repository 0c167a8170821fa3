import { type Detection, detectionEndpoints } from '@porchlight/contract/detections.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { FastifyInstance } from 'fastify';
import type { Db, Trx } from '../../db/open.ts';
import { type AtComputer, atComputer, someoneElse } from '../../lib/at-computer.ts';
import { bind } from '../../lib/bind.ts';
import { after, type Clock } from '../../lib/clock.ts';
import { fail } from '../../lib/errors.ts';
import { firstName } from '../../lib/formatting.ts';
import type { Gates } from '../../lib/gates.ts';
import type { Limit } from '../../lib/rate-limit.ts';
import { explain } from '../../notifications/render/alert-wording.ts';
import type { DefinitionHelp, DefinitionHelpLookup, DeliveryLookup, DeviceOwnership, NameLookup } from '../../ports.ts';
import type { AnswerStore } from './answer-store.ts';
import { isSite, matchOf } from './rules.ts';
import type { AlertRow, DetectionStore } from './store.ts';

const day = 24 * 3_600_000;

export interface DetectionDeps {
  db: Db;
  clock: Clock;
  gates: Gates;
  limit: Limit;
  store: DetectionStore;
  answers: AnswerStore;
  helpOf: DefinitionHelpLookup;
  ownsDevice: DeviceOwnership;
  nameOf: NameLookup;
  /** The deliveries of each of these alerts. */
  deliveriesOf: DeliveryLookup;
  /** The guardians who said that they are on it. */
  acknowledgedBy: (account: string, alerts: string[]) => Promise<Map<string, { name: string; time: string }[]>>;
  /** Passes on to the operator what was matched wrongly. */
  reportWrong: (trx: Trx, match: ReturnType<typeof matchOf>) => Promise<void>;
}

export function detectionRoutes(app: FastifyInstance, deps: DetectionDeps): void {
  const { db, gates, limit, store, answers, ownsDevice } = deps;
  const onWire = holdersView(deps);
  const one = async (account: string, uuid: string): Promise<Detection> => {
    const row = (await store.get(account, uuid)) ?? fail('not_found');
    return (await onWire(account, [row]))[0] ?? fail('not_found');
  };

  bind(app, gates, detectionEndpoints, {
    'GET /web/detections': async ({ account, query }) => {
      if (query.device && !(await ownsDevice(account, query.device))) fail('not_found');
      const found = await store.list(account, { ...query, length: query.length + 1 });
      const rows = found.slice(0, query.length);
      const older = found.length > rows.length;
      const open = query.offset === 0 && !query.device ? await latestUnblockedAlert(rows, account, query.length, deps) : undefined;
      const items = await onWire(account, open ? [...rows, open] : rows);
      return open ? { items: items.slice(0, -1), older, unblocked: items.at(-1) } : { items, older };
    },

    'GET /web/detections/:id': ({ account, params }) => one(account, params.id),

    'POST /web/detections/:uuid/answer': async ({ account, params, body }) => {
      const row = (await store.get(account, params.uuid)) ?? fail('not_found');
      const name = firstName(await deps.nameOf(account));
      await answers.add(db, { account, person: account, name }, row, body.answer);
      return one(account, row.uuid);
    },

    'POST /web/detections/:uuid/wrong': async ({ account, params }) => {
      const row = (await store.get(account, params.uuid)) ?? fail('not_found');
      await limit('alert-wrong', account, { max: serverLimits.wrong_alerts_per_day, per: day });
      await db.transaction().execute(async (trx) => {
        if (await answers.addWrong(trx, account, row)) await deps.reportWrong(trx, matchOf(row));
      });
      return one(account, row.uuid);
    },
  });
}

/** Alerts as their holder sees them. */
function holdersView({ helpOf, deliveriesOf, acknowledgedBy, answers }: DetectionDeps) {
  return async (account: string, rows: AlertRow[]): Promise<Detection[]> => {
    const uuids = rows.map(({ uuid }) => uuid);
    const help = await helpOf(rows.map(({ identifier }) => identifier));
    const told = await deliveriesOf(account, 'alert', uuids);
    const seen = await acknowledgedBy(account, uuids);
    const said = await answers.of(account, uuids, account);
    const wrong = await answers.wrongOf(account, uuids);
    return rows.map((row) => ({
      ...alertOnWire(row, help.get(row.identifier), someoneElse(row.person, row.device_name)),
      told: told.get(row.uuid) ?? [],
      seen: seen.get(row.uuid) ?? [],
      answers: said.get(row.uuid) ?? [],
      wrong: wrong.has(row.uuid),
    }));
  };
}

/**
 * The newest alert of the last 24 hours that was not blocked, when none is among the newest `length` ones, which are `rows`:
 * what is still open is shown however much was stopped since.
 */
async function latestUnblockedAlert(
  rows: AlertRow[],
  account: string,
  length: number,
  { store, clock }: { store: DetectionStore; clock: Clock },
): Promise<AlertRow | undefined> {
  if (rows.length < length) return undefined;
  const open = await store.newestUnblocked(account, after(clock.now(), -day));
  return rows.some(({ uuid }) => uuid === open?.uuid) ? undefined : open;
}

/** Without deliveries and answers: a guardian sees of others no more than their first names (P5.2). `at`: as in `explain`. */
function alertOnWire(row: AlertRow, help: DefinitionHelp | undefined, at: AtComputer | null): Omit<Detection, 'answers' | 'wrong'> {
  const repeats = Number(row.repeats ?? 0);
  const site = isSite(row);
  const parts = explain({ ...row, site }, row.device_name, help, at);
  return {
    uuid: row.uuid,
    device_id: row.device,
    device_name: row.device_name,
    info: {
      time: row.time.toISOString(),
      name: row.name,
      identifier: row.identifier,
      category: row.category,
      details: row.details,
      blocked: row.blocked,
      certainty: row.certainty,
      site,
      times: 1 + repeats,
      last_time: latest(row.time, row.last_repeat).toISOString(),
    },
    helptext: { name: row.name, warning_markdown: parts.what_to_do },
    parts,
  };
}

/** The last alerts, as many as a guardian sees. */
export function alertsForGuardians({ store, clock, helpOf, nameOf }: Pick<DetectionDeps, 'store' | 'clock' | 'helpOf' | 'nameOf'>) {
  return async (account: string) => {
    const length = serverLimits.guardian_alerts;
    const rows = await store.list(account, { offset: 0, length });
    const open = await latestUnblockedAlert(rows, account, length, { store, clock });
    if (open) rows.push(open);
    const help = await helpOf(rows.map(({ identifier }) => identifier));
    const holder = await nameOf(account);
    return rows.map((row) => {
      const { info, parts } = alertOnWire(row, help.get(row.identifier), atComputer(row.person, row.device_name, holder));
      const { name, category, blocked, certainty, site, time, times } = info;
      return { uuid: row.uuid, device_name: row.device_name, name, category, blocked, certainty, site, time, times, parts };
    });
  };
}

function latest(a: Date, b: Date | null): Date {
  return b && b > a ? b : a;
}
