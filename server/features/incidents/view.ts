import type { NotificationDelivery } from '@porchlight/contract/alerts.ts';
import type { Person } from '@porchlight/contract/devices.ts';
import type { HeldRequest } from '@porchlight/contract/held-requests.ts';
import type { IncidentEvent } from '@porchlight/contract/incident-events.ts';
import {
  type Incident,
  type IncidentDelivery,
  type IncidentNotice,
  type IncidentSummary,
  incidentNotice,
  incidentStep,
} from '@porchlight/contract/incidents.ts';
import type { Statement } from '@porchlight/contract/shapes.ts';
import { openerWords } from '@porchlight/contract/words/openers.ts';
import { requestSentences } from '@porchlight/contract/words/requests.ts';
import { isAboutProgram } from '@porchlight/contract/words/waiting.ts';
import type { Kernel } from '../../kernel.ts';
import { after } from '../../lib/clock.ts';
import { type Quoter, quotedActivity, quoterOf } from '../../notifications/quoted-facts.ts';
import type { Rename } from '../../notifications/renames.ts';
import { helpAbout, stopAbout } from '../../notifications/render/emergency.ts';
import { nobodyAnsweredAbout } from '../../notifications/render/nobody-answered.ts';
import type { Authority, EscalationOnPage, Reader } from '../../ports.ts';
import { firstName, timesIn } from '../../texts/formatting.ts';
import type { Stopped } from './answers.ts';
import type { BelongingStore } from './belonging-store.ts';
import type { CallsWait } from './calls-wait.ts';
import { becauseForGuardian, becauseOf } from './hold-words.ts';
import { passesAt, type RequestRow, type RequestStore, requestEnds, requestState } from './request-store.ts';
import { endOf, type IncidentEventRow, type IncidentRow, type IncidentStore, stateOf, watched_for } from './store.ts';
import { eventsOfIncident, isFromAccount, linesWith, requestEvents, within } from './time-line.ts';

export interface ViewDeps extends Pick<Kernel, 'clock' | 'nameOf'> {
  incidents: IncidentStore;
  requests: RequestStore;
  belonging: BelongingStore;
  authority: Authority;
  callsWait: CallsWait;
  /** The renames that questions do not follow yet (P18.1). */
  renamesOf(account: string): Promise<Rename[]>;
  guardiansOf(account: string): Promise<{ uuid: string; name: string }[]>;
  /** `device`: null for the device that was seen last. */
  deviceWords(account: string, device: string | null): Promise<{ person: Person | null; time_zone: string }>;
  deliveriesOf(account: string, kind: 'alert' | 'act', about: string[]): Promise<Map<string, NotificationDelivery[]>>;
  stoppedIn(row: IncidentRow): Promise<Stopped | null>;
  escalationOnPage(incident: string, now: Date): Promise<EscalationOnPage>;
}

/** Read once for all requests of a page. `calls_wait`: whether weakening calls of the account wait now. */
interface AccountFacts {
  /** The first names of the active guardians. */
  asked: string[];
  /** The first name, as messages quote it. */
  holder: string;
  /** The whole name. */
  holder_name: string;
  quoter: Quoter;
  calls_wait: boolean;
}

interface Belonging {
  detections: Awaited<ReturnType<BelongingStore['detections']>>;
  activities: Awaited<ReturnType<BelongingStore['activities']>>;
  rows: RequestRow[];
}

export type IncidentViews = ReturnType<typeof incidentViews>;

const iso = (time: Date) => time.toISOString();
const byTime = (a: IncidentEvent, b: IncidentEvent) => a.time.localeCompare(b.time);
const statement = (reader: Reader, { person, name, time }: { person: string; name: string; time: Date }): Statement => ({
  by: name,
  you: person === reader.person,
  time: iso(time),
});

/** What the holder and the guardians see of incidents and requests (P9.3, P10.2). */
export function incidentViews(deps: ViewDeps) {
  const { clock, incidents, requests, authority } = deps;

  const summary = (row: IncidentRow, person: Person | null): IncidentSummary => ({
    uuid: row.uuid,
    device: { uuid: row.device, name: row.device_name, person },
    state: stateOf(row, clock.now()),
    opened: iso(row.opened),
    opener: row.opener,
    what: row.what,
    words: openerWords[row.opener](row.what, row.device_name),
    ends: iso(endOf(row)),
  });
  const summaryOf = async (row: IncidentRow) => summary(row, (await deps.deviceWords(row.account, row.device)).person);

  const factsOf = async (account: string): Promise<AccountFacts> => {
    const quoter = quoterOf(account, await deps.renamesOf(account));
    const holder_name = quoter.name(await deps.nameOf(account), 'holder');
    return {
      quoter,
      holder_name,
      asked: (await deps.guardiansOf(account)).map(({ name }) => firstName(name)),
      holder: firstName(holder_name),
      calls_wait: await deps.callsWait(account),
    };
  };

  const requestOf = async (reader: Reader, row: RequestRow, { asked, holder, calls_wait, quoter }: AccountFacts): Promise<HeldRequest> => {
    const now = clock.now();
    const isHolder = reader.kind === 'holder';
    const state = requestState(row, now);
    const isFree = state === 'open' && !calls_wait && !isAboutProgram(row.cause);
    const canPass = passesAt(row) <= now;
    const { time_zone } = await deps.deviceWords(reader.account, row.device);
    const who = isHolder ? 'You' : holder;
    const activities = row.activities.map((activity) => quotedActivity(quoter, activity));
    return {
      uuid: row.uuid,
      incident: row.incident,
      state: isFree ? 'free' : state,
      wants: requestSentences({ activities, who }, timesIn(time_zone)),
      ...{ activities, who, cause: row.cause, rule: row.rule },
      device_name: row.device_name && quoter.name(row.device_name, 'device'),
      time: iso(row.time),
      until: iso(requestEnds(row)),
      passes: iso(passesAt(row)),
      answers: row.answers.map((answer) => ({ ...statement(reader, answer), answer: answer.answer })),
      lifted: row.lifted && iso(row.lifted),
      asked,
      because: isHolder ? becauseOf(row, { asked, needs_password: canPass, now, time_zone }) : becauseForGuardian(row, holder, now),
      by_server: row.sealed_call !== null,
      mine: await authority.ofRequest(reader, row),
    };
  };

  /** What belongs to the incident. */
  const belongingTo = async (row: IncidentRow): Promise<Belonging> => {
    const [detections, activities, rows] = await Promise.all([
      deps.belonging.detections(row.device, row.opened, endOf(row)),
      deps.belonging.activities(row.account, row.opened, endOf(row)),
      requests.ofIncident(row.uuid),
    ]);
    return { detections, activities, rows };
  };

  /** The events of the incident and of all that belongs to it. */
  const eventsOf = (
    row: IncidentRow,
    events: IncidentEventRow[],
    { detections, activities, rows }: Belonging,
    { holder, time_zone, reached }: { holder: string; time_zone: string; reached: EscalationOnPage['events'] },
  ): IncidentEvent[] => {
    const line = linesWith(timesIn(time_zone));
    const now = clock.now();
    const isWithin = within(row, events, now);
    const ended = endOf(row);
    const lines: IncidentEvent[] = [
      ...events.flatMap((event) => eventsOfIncident(line, event, row)),
      ...detections
        .filter(({ time }) => isWithin(time))
        .map(({ uuid, time, ...facts }) => line(time, 'detection', { event: 'detection', ...facts }, uuid)),
      ...activities
        .filter(({ time }) => isWithin(time))
        .map(({ time, kind, actor, device_name, what }) =>
          line(time, 'activity', { event: 'activity', kind, who: actor ?? holder, device: device_name ?? '', what: what ?? '' }),
        ),
      ...rows.flatMap((request) => requestEvents(line, request, holder)),
      ...reached.map(({ time, facts }) => line(time, 'reached', facts)),
    ];
    if (row.over === null && ended <= now) lines.push(line(ended, 'over', { event: 'ended' }));
    return lines.toSorted(byTime);
  };

  const notifiedOf = async (
    reader: Reader,
    row: IncidentRow,
    events: IncidentEventRow[],
    { detections, activities, rows }: Belonging,
    { holder, rounds }: { holder: string; rounds: number[] },
  ): Promise<IncidentDelivery[]> => {
    const abouts: Record<IncidentNotice, string[]> = {
      alert: detections.map(({ uuid }) => uuid),
      unanswered: rounds.map((number) => nobodyAnsweredAbout(row.uuid, number)),
      change: activities.map(({ uuid }) => uuid),
      question: rows.map(({ uuid }) => uuid),
      stop: events.filter(({ kind }) => kind === 'stop').map(({ time }) => stopAbout(row.uuid, time)),
      help: events.filter(({ what }) => what === 'help').map(({ time }) => helpAbout(row.device, iso(time))),
    };
    const [alerts, others] = await Promise.all([
      deps.deliveriesOf(reader.account, 'alert', [...abouts.alert, ...abouts.unanswered]),
      deps.deliveriesOf(reader.account, 'act', [...abouts.change, ...abouts.question, ...abouts.stop, ...abouts.help]),
    ]);
    const deliveries = new Map([...alerts, ...others]);
    const of = (about: IncidentNotice, uuids: string[]) =>
      bestOf(uuids.flatMap((uuid) => deliveries.get(uuid) ?? [])).map((delivery) => ({ ...delivery, about }));
    const all = incidentNotice.options.flatMap((about) =>
      // Programs and changes can be very many; the first notification of either shows that the recipient was reached.
      about === 'alert' || about === 'change' ? of(about, abouts[about]) : abouts[about].flatMap((uuid) => of(about, [uuid])),
    );
    return all.map((delivery): IncidentDelivery => {
      const { guardian } = delivery;
      const recipient = guardian === null ? holder : delivery.name;
      if (reader.kind === 'holder') return { ...delivery, recipient, you: guardian === null };
      // A guardian sees of the others their first names and channels only (P5.2).
      const [you, shown] = [guardian === reader.person, firstName(recipient)];
      return { ...delivery, recipient: shown, you, name: you ? 'You' : shown, guardian: null, why: null, reason: null };
    });
  };

  return {
    summaryOf,
    requestOf: async (reader: Reader, row: RequestRow) => requestOf(reader, row, await factsOf(reader.account)),

    /** The newest first; open and watched ones only. */
    async ofGuardian(account: string): Promise<IncidentSummary[]> {
      const since = after(clock.now(), -watched_for - 24 * 3_600_000);
      const rows = await incidents.list(account, { offset: 0, length: 10, since });
      return Promise.all(rows.filter((row) => stateOf(row, clock.now()) !== 'over').map(summaryOf));
    },

    async requestsOf(reader: Reader): Promise<HeldRequest[]> {
      const rows = (await requests.recentOf(reader.account)).slice(0, 20);
      if (!rows.length) return [];
      const facts = await factsOf(reader.account);
      return Promise.all(rows.map((row) => requestOf(reader, row, facts)));
    },

    async of(reader: Reader, row: IncidentRow): Promise<Incident> {
      const [events, ticks, belonging, stopped, facts, escalation, { person, time_zone }] = await Promise.all([
        incidents.events(row.uuid),
        incidents.steps(row.uuid),
        belongingTo(row),
        deps.stoppedIn(row),
        factsOf(reader.account),
        deps.escalationOnPage(row.uuid, clock.now()),
        deps.deviceWords(row.account, row.device),
      ]);
      const people = events.filter(isAnswered);
      const latest = (kind: IncidentEventRow['kind']) => people.findLast((event) => event.kind === kind);
      const onIt = people.filter(({ kind }) => kind === 'on_it');
      const accountOnIt = onIt.findLast(isFromAccount);
      const [over, mine] = [row.over === null ? undefined : latest('over'), latest('mine')];
      const hasAnsweredHow = people.some((event) => event.kind === 'how' && event.person === reader.person);
      return {
        ...summary(row, person),
        over_by: over ? statement(reader, over) : null,
        on_it: newestOfEach(onIt.filter((event) => !isFromAccount(event))).map((event) => statement(reader, event)),
        account_on_it: accountOnIt ? statement(reader, accountOnIt) : null,
        reader_counts: await authority.counts(reader, row),
        was_me: mine ? statement(reader, mine) : null,
        steps: incidentStep.options.map((step) => {
          const by = (from_account: boolean) => {
            const tick = ticks.find((one) => one.step === step && one.from_account === from_account);
            return tick ? statement(reader, tick) : null;
          };
          return { step, done: by(false), from_account: by(true) };
        }),
        events: eventsOf(row, events, belonging, { holder: facts.holder, time_zone, reached: escalation.events }),
        notified: await notifiedOf(reader, row, events, belonging, { holder: facts.holder_name, rounds: escalation.rounds }),
        requests: await Promise.all(belonging.rows.map((request) => requestOf(reader, request, facts))),
        escalation: escalation.view,
        stopped: stopped?.name ?? null,
        may_end: await authority.ofEnd(reader, row),
        may_allow: await authority.ofIncident(reader, row),
        asks_how: row.asked_how !== null && !hasAnsweredHow,
      };
    },
  };
}

/** An incident that opened again, or that escalated again, may have several answers of one person. */
const newestOfEach = <E extends { person: string }>(events: E[]): E[] => [
  ...new Map(events.map((event) => [event.person, event])).values(),
];

const isAnswered = (event: IncidentEventRow): event is IncidentEventRow & { person: string; name: string } =>
  event.person !== null && event.name !== null;

/** One for each person and channel: sent if anything was sent, with the first time. */
function bestOf(deliveries: NotificationDelivery[]): NotificationDelivery[] {
  const order = { sent: 0, waiting: 1, failed: 2 };
  const best = new Map<string, NotificationDelivery>();
  for (const delivery of deliveries) {
    const key = `${delivery.guardian ?? ''}:${delivery.channel}`;
    const known = best.get(key);
    const isBetter = !known || order[delivery.state] < order[known.state] || (delivery.state === known.state && delivery.time < known.time);
    if (isBetter) best.set(key, delivery);
  }
  return [...best.values()];
}
