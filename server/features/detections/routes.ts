import { type Detection, detectionEndpoints } from '@porchlight/contract/detections.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { day } from '@porchlight/contract/time.ts';
import type { FastifyInstance } from 'fastify';
import type { Trx } from '../../db/open.ts';
import { bind } from '../../http/bind.ts';
import type { Kernel } from '../../kernel.ts';
import { after, type Clock } from '../../lib/clock.ts';
import { fail } from '../../lib/errors.ts';
import type { DefinitionHelp } from '../../notifications/render/alert-wording.ts';
import { explain } from '../../notifications/render/alert-wording.ts';
import type { DefinitionHelpLookup, DeliveryLookup, DeviceOwnership } from '../../ports.ts';
import { type AtComputer, atComputer, someoneElse } from '../../texts/at-computer.ts';
import { firstName } from '../../texts/formatting.ts';
import type { AnswerStore } from './answer-store.ts';
import { isSite, matchOf } from './rules.ts';
import type { AlertRow, DetectionStore } from './store.ts';

export interface DetectionDeps extends Pick<Kernel, 'db' | 'clock' | 'gates' | 'limit' | 'nameOf'> {
  store: DetectionStore;
  answers: AnswerStore;
  helpOf: DefinitionHelpLookup;
  ownsDevice: DeviceOwnership;
  deliveriesOf: DeliveryLookup;
  /** The incident that each alert belongs to, by alert (P9.1). */
  incidentsOf(account: string, alerts: { uuid: string; device: string; time: Date }[]): Promise<Map<string, string>>;
  acknowledgedBy: (account: string, alerts: string[]) => Promise<Map<string, { name: string; time: string }[]>>;
  /** Reports a wrong match to the operator. */
  reportWrong: (trx: Trx, match: ReturnType<typeof matchOf>) => Promise<void>;
}

export function detectionRoutes(app: FastifyInstance, deps: DetectionDeps): void {
  const { db, gates, limit, store, answers, ownsDevice } = deps;
  const toDetections = holdersView(deps);
  const findDetection = async (account: string, uuid: string): Promise<Detection> => {
    const row = (await store.get(account, uuid)) ?? fail('not_found');
    return (await toDetections(account, [row]))[0] ?? fail('not_found');
  };

  bind(app, gates, detectionEndpoints, {
    'GET /web/detections': async ({ account, query }) => {
      if (query.device && !(await ownsDevice(account, query.device))) fail('not_found');
      const foundRows = await store.list(account, { ...query, length: query.length + 1 });
      const rows = foundRows.slice(0, query.length);
      const hasOlder = foundRows.length > rows.length;
      const unblockedAlert =
        query.offset === 0 && !query.device ? await latestUnblockedAlert(rows, account, query.length, deps) : undefined;
      const items = await toDetections(account, unblockedAlert ? [...rows, unblockedAlert] : rows);
      return unblockedAlert ? { items: items.slice(0, -1), older: hasOlder, unblocked: items.at(-1) } : { items, older: hasOlder };
    },

    'GET /web/detections/:id': ({ account, params }) => findDetection(account, params.id),

    'POST /web/detections/:uuid/answer': async ({ account, params, body }) => {
      const row = (await store.get(account, params.uuid)) ?? fail('not_found');
      const name = firstName(await deps.nameOf(account));
      await answers.add(db, { account, person: account, name }, row, body.answer);
      return findDetection(account, row.uuid);
    },

    'POST /web/detections/:uuid/wrong': async ({ account, params }) => {
      const row = (await store.get(account, params.uuid)) ?? fail('not_found');
      await limit('alert-wrong', account, { max: serverLimits.wrong_alerts_per_day, per: day });
      await db.transaction().execute(async (trx) => {
        if (await answers.addWrong(trx, account, row)) await deps.reportWrong(trx, matchOf(row));
      });
      return findDetection(account, row.uuid);
    },
  });
}

function holdersView({ helpOf, deliveriesOf, acknowledgedBy, answers, incidentsOf }: DetectionDeps) {
  return async (account: string, rows: AlertRow[]): Promise<Detection[]> => {
    const uuids = rows.map(({ uuid }) => uuid);
    const help = await helpOf(rows.map(({ identifier }) => identifier));
    const deliveries = await deliveriesOf(account, 'alert', uuids);
    const acknowledgements = await acknowledgedBy(account, uuids);
    const givenAnswers = await answers.of(account, uuids, account);
    const wrongReports = await answers.wrongOf(account, uuids);
    const incidents = await incidentsOf(account, rows);
    return rows.map((row) => ({
      ...toDetection(row, help.get(row.identifier), someoneElse(row.person, row.device_name)),
      notified: deliveries.get(row.uuid) ?? [],
      seen: acknowledgements.get(row.uuid) ?? [],
      answers: givenAnswers.get(row.uuid) ?? [],
      wrong: wrongReports.has(row.uuid),
      ...(incidents.has(row.uuid) ? { incident: incidents.get(row.uuid) } : {}),
    }));
  };
}

/**
 * The newest unblocked alert of the last 24 hours if it is not among `rows`, the newest `length` alerts: later blocked alerts must not hide
 * it.
 */
async function latestUnblockedAlert(
  rows: AlertRow[],
  account: string,
  length: number,
  { store, clock }: { store: DetectionStore; clock: Clock },
): Promise<AlertRow | undefined> {
  if (rows.length < length) return undefined;
  const unblockedAlert = await store.newestUnblocked(account, after(clock.now(), -day));
  return rows.some(({ uuid }) => uuid === unblockedAlert?.uuid) ? undefined : unblockedAlert;
}

/** An alert without deliveries and answers, because guardians see only first names of others (P5.2). */
function toDetection(row: AlertRow, help: DefinitionHelp | undefined, computer: AtComputer | null): Omit<Detection, 'answers' | 'wrong'> {
  const repeats = Number(row.repeats ?? 0);
  const site = isSite(row);
  const texts = explain({ ...row, site, quiet: row.quiet !== null }, row.device_name, help, computer);
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
      ...(row.quiet && { quiet: row.quiet === 'alone' ? 'alone' : 'together' }),
    },
    helptext: { name: row.name, warning_markdown: texts.what_to_do },
    explanation: texts,
  };
}

export function alertsForGuardians({ store, clock, helpOf, nameOf }: Pick<DetectionDeps, 'store' | 'clock' | 'helpOf' | 'nameOf'>) {
  return async (account: string) => {
    const length = serverLimits.guardian_alerts;
    const rows = await store.list(account, { offset: 0, length });
    const unblockedAlert = await latestUnblockedAlert(rows, account, length, { store, clock });
    if (unblockedAlert) rows.push(unblockedAlert);
    const help = await helpOf(rows.map(({ identifier }) => identifier));
    const holder = await nameOf(account);
    return rows.map((row) => {
      const { info, explanation } = toDetection(row, help.get(row.identifier), atComputer(row.person, row.device_name, holder));
      const { name, category, blocked, certainty, site, time, times } = info;
      return { uuid: row.uuid, device_name: row.device_name, name, category, blocked, certainty, site, time, times, explanation };
    });
  };
}

function latest(a: Date, b: Date | null): Date {
  return b && b > a ? b : a;
}
