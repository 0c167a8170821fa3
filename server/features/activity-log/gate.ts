import type { ActivityKind, WeakeningActivity } from '@porchlight/contract/activity-log.ts';
import type { Person } from '@porchlight/contract/devices.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { hour } from '@porchlight/contract/time.ts';
import { subjectWords } from '@porchlight/contract/words/activity-subject.ts';
import type { Db, Trx } from '../../db/open.ts';
import type { Kernel } from '../../kernel.ts';
import { after } from '../../lib/clock.ts';
import { fail } from '../../lib/errors.ts';
import type { LoggedAct } from '../../notifications/render/activity.ts';
import type { AlertUrl, HoldingGate, LoggedActivity, RefusedCall, WeakeningGate, WeakeningLog } from '../../ports.ts';
import { firstName, timesIn } from '../../texts/formatting.ts';
import { severityOf } from './severity.ts';
import type { ActivityRow, ActivityStore } from './store.ts';

export interface ActivityLogDeps extends Pick<Kernel, 'clock' | 'enqueue' | 'notify' | 'nameOf'> {
  store: ActivityStore;
  alertUrl: AlertUrl;
}

export interface GateDeps extends ActivityLogDeps {
  db: Db;
  holds: HoldingGate;
}

/** Ends the transaction of a call that the gate refuses, so that nothing of it has happened. */
class CallRefused extends Error {
  readonly refused: RefusedCall;

  constructor(refused: RefusedCall) {
    super('this call waits for a yes');
    this.refused = refused;
  }
}

/** `quiet`: another message says it. `asks`: a start that it makes possible waits for a yes for an hour. */
type LogContext = NonNullable<Parameters<WeakeningLog>[3]> & { quiet?: boolean; asks?: boolean };

function startPossible(until: Date | null, now: Date): LoggedAct['asks'] {
  if (until === null) return 'always';
  return until <= after(now, hour) ? 'hour' : 'today';
}

/** Logs an activity and queues its notifications. Opens no incident, and lets nothing wait. */
export function activityLogging({ clock, store, enqueue, notify, ...deps }: ActivityLogDeps) {
  /** Returns the id of the new entry. */
  return async (
    trx: Trx,
    account: string,
    act: WeakeningActivity,
    { at: atDevice, by, quiet = false, asks = false }: LogContext = {},
  ): Promise<string> => {
    const time = atDevice?.time ?? clock.now();
    const recent = await store.recentlyNotified(trx, account);
    const notified = quiet ? 'repeated' : howToNotify(act, time, recent);
    const actor = atDevice ? null : (by ?? firstName(await deps.nameOf(account, trx)));
    const sendsSms = notified === 'by_itself' && !(await store.smsSentRecently(trx, account, act.kind));
    const row = await store.add(trx, account, act, { actor, notified, time });
    const zone = await store.zoneOf(account, trx);
    if (notified === 'at_once' || notified === 'by_itself') {
      // Acts in the account are done by the holder, even when someone else uses the device.
      const person = atDevice ? await store.personAt(trx, row.device) : undefined;
      const answerUrl = act.alert && requestUrl(await deps.alertUrl(trx, account, act.alert));
      const facts = { uuid: row.uuid, severe: notified === 'by_itself', first: sendsSms, removed: act.guardian, answerUrl };
      await notify(trx, account, {
        kind: 'weakened',
        facts: {
          ...facts,
          act: loggedAct(row, zone, {
            ...{ over: atDevice?.over, person, by },
            asks: asks ? startPossible(act.until ?? null, time) : undefined,
          }),
        },
      });
    }
    if (notified === 'flood') {
      const person = atDevice ? await store.personAt(trx, row.device) : null;
      const facts = { uuid: row.uuid, act: loggedAct(row, zone, { person }), count: recent.length + 1 };
      await notify(trx, account, { kind: 'flood', facts });
    }
    if (notified === 'later') {
      const ends = after(clock.now(), serverLimits.activity_grouping);
      const slot = Math.floor(ends.getTime() / serverLimits.activity_grouping);
      // Each act queues a job, and the first job handles all waiting acts. A shared job would miss acts added while it runs.
      const job = { account, key: row.uuid };
      await enqueue(trx, 'activity_group', `activity:group:${row.uuid}`, job, new Date(slot * serverLimits.activity_grouping));
    }
    return row.uuid;
  };
}

/** Every act that weakens protection passes this gate; acts that strengthen it do not. */
export function weakeningGate(deps: GateDeps) {
  const { db, store, notify, holds } = deps;
  const log = activityLogging(deps);

  /**
   * Logs an activity and queues its notifications in the activity's own transaction, so that neither exists without the other. What an
   * agent reports has happened already, so it passes, and may open an incident.
   */
  const weaken: WeakeningLog = async (trx, account, activity, context = {}) => {
    const isRequest = context.at !== undefined && (await holds.requested(trx, account, activity, context.at.time));
    const entry = await log(trx, account, activity, { ...context, quiet: isRequest });
    if (context.at && !isRequest) await holds.reported(trx, account, { activity, entry }, context.at.time);
    return entry;
  };

  /** A guardian's removal calls `weaken` first, because the guardian must still be notified. */
  const weakening: WeakeningGate = async (call, work) => {
    try {
      return await db.transaction().execute(async (trx) => {
        const { limited, asks, settle } = await holds.begin(trx, call);
        const logged: LoggedActivity[] = [];
        const result = await work(
          trx,
          async (activity) => {
            logged.push({ activity, entry: await log(trx, call.account, activity, { asks: asks(activity) }) });
          },
          { limited },
        );
        const refused = logged.length ? await settle(logged) : null;
        if (refused) throw new CallRefused(refused);
        return result;
      });
    } catch (error) {
      if (error instanceof CallRefused) fail('held', { hold: await holds.ask(error.refused) });
      throw error;
    }
  };

  return {
    weaken,
    weakening,

    handlers: {
      activity_group: ({ account, key }: { account: string; key: string }) =>
        db.transaction().execute(async (trx) => {
          const rows = await store.takeLater(trx, account);
          if (!rows.length) return;
          const zone = await store.zoneOf(account, trx);
          // Acts without an actor were done by the computer's user.
          const deviceIds = rows.flatMap(({ actor, device }) => (actor === null && device !== null ? [device] : []));
          const people = await store.peopleAt(trx, [...new Set(deviceIds)]);
          const entries = rows.map((row) => loggedAct(row, zone, { person: row.actor === null ? people.get(row.device ?? '') : null }));
          await notify(trx, account, { kind: 'grouped', facts: { key, entries } });
        }),
    },
  };
}

function requestUrl(url: string): string {
  const page = new URL(url);
  page.searchParams.set('asked', '1');
  return page.href;
}

/** Never a repetition: a scammer could add their own way to log in right after the holder's, and nobody would read of it. */
const everyTime: ReadonlySet<ActivityKind> = new Set(['sign_in_added', 'sign_in_removed', 'recovery_codes_made', 'recovery_code_used']);

/**
 * People are notified of severe acts immediately, singly and on every channel (P10.4); of mild acts singly up to a limit, then by a
 * flood alarm and one email with further acts. A repetition within ten minutes notifies nobody, except of ways to log in.
 */
function howToNotify(
  act: WeakeningActivity,
  time: Date,
  recent: Pick<ActivityRow, 'kind' | 'device' | 'what' | 'notified' | 'time'>[],
): ActivityRow['notified'] {
  const [device, subject] = [act.device?.uuid ?? null, act.what ?? null];
  const isRecent = (otherTime: Date) => Math.abs(time.getTime() - otherTime.getTime()) < serverLimits.activity_grouping;
  const isRepetition = recent.some((one) => one.kind === act.kind && one.device === device && one.what === subject && isRecent(one.time));
  // A removed guardian cannot be notified later, so the removal is never grouped.
  if (act.guardian) return 'by_itself';
  if (isRepetition && !everyTime.has(act.kind)) return 'repeated';
  if (severityOf(act) === 'severe') {
    const similarEntries = recent.filter((one) => one.notified === 'by_itself' && one.kind === act.kind && one.device === device);
    if (similarEntries.length < serverLimits.severe_activity_separate_max) return 'by_itself';
  } else if (recent.filter(({ notified }) => notified === 'at_once').length < serverLimits.activity_separate_max) return 'at_once';
  return recent.some(({ notified }) => notified === 'flood') ? 'later' : 'flood';
}

function loggedAct(
  row: ActivityRow,
  time_zone: string,
  context: { over?: boolean | undefined; person?: Person | null | undefined; by?: string | undefined; asks?: LoggedAct['asks'] } = {},
): LoggedAct {
  const { kind, device_name, what, time, received } = row;
  const isLate = received.getTime() - time.getTime() > serverLimits.activity_grouping;
  return {
    kind,
    device: device_name ?? '',
    what: subjectWords(kind, what ?? '', timesIn(time_zone)),
    time,
    time_zone,
    late: isLate,
    over: context.over ?? false,
    person: context.person ?? null,
    by: context.by,
    asks: context.asks,
  };
}
