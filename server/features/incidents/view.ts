import type { NotificationDelivery } from '@porchlight/contract/alerts.ts';
import type { Person } from '@porchlight/contract/devices.ts';
import type { IncidentEvent } from '@porchlight/contract/incident-events.ts';
import {
  type AllowedAfter,
  type Incident,
  type IncidentDelivery,
  type IncidentNotice,
  type IncidentSummary,
  incidentNotice,
  incidentStep,
} from '@porchlight/contract/incidents.ts';
import type { Statement } from '@porchlight/contract/shapes.ts';
import { openerWords } from '@porchlight/contract/words/openers.ts';
import type { Db } from '../../db/open.ts';
import type { Authority, EscalationOnPage, Reader, RequestsOnPage, RequestsOnPageLookup, SuspensionLookup } from '../../incident-ports.ts';
import type { Kernel } from '../../kernel.ts';
import { after } from '../../lib/clock.ts';
import type { QuotedHolder } from '../../notifications/quoted-facts.ts';
import { helpAbout, stopAbout } from '../../notifications/render/emergency.ts';
import { nobodyAnsweredAbout } from '../../notifications/render/nobody-answered.ts';
import type { DeviceRows } from '../../ports.ts';
import { firstName, timesIn } from '../../texts/formatting.ts';
import type { Stopped } from './answers.ts';
import type { BelongingStore } from './belonging-store.ts';
import { endOf, type IncidentEventRow, type IncidentRow, type IncidentStore, stateOf, watched_for } from './store.ts';
import { eventsOfIncident, isFromAccount, linesWith, within } from './time-line.ts';

export interface ViewDeps extends Pick<Kernel, 'db' | 'clock'>, Pick<DeviceRows, 'deviceWords'> {
  incidents: IncidentStore;
  belonging: BelongingStore;
  authority: Authority;
  quotedHolder(account: string): Promise<QuotedHolder>;
  requestsOnPage: RequestsOnPageLookup;
  deliveriesOf(account: string, kind: 'alert' | 'act', about: string[]): Promise<Map<string, NotificationDelivery[]>>;
  stoppedIn(row: IncidentRow): Promise<Stopped | null>;
  suspensionAt: SuspensionLookup;
  allowedAfter(row: IncidentRow, connection: Db): Promise<AllowedAfter[]>;
  escalationOnPage(incident: string, now: Date): Promise<EscalationOnPage>;
}

interface Belonging {
  detections: Awaited<ReturnType<BelongingStore['detections']>>;
  activities: Awaited<ReturnType<BelongingStore['activities']>>;
  requests: RequestsOnPage;
}

export type IncidentViews = ReturnType<typeof incidentViews>;

const iso = (time: Date) => time.toISOString();
const byTime = (a: IncidentEvent, b: IncidentEvent) => a.time.localeCompare(b.time);
const statement = (reader: Reader, { person, name, time }: { person: string; name: string; time: Date }): Statement => ({
  by: name,
  you: person === reader.person,
  time: iso(time),
});

/** What the holder and the guardians see of incidents (P9.3). */
export function incidentViews(deps: ViewDeps) {
  const { clock, incidents, authority } = deps;

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
  const deviceWords = ({ account, device }: IncidentRow) => deps.deviceWords(deps.db, account, device);
  const summaryOf = async (row: IncidentRow) => summary(row, (await deviceWords(row)).person);

  /** What belongs to the incident. */
  const belongingTo = async (reader: Reader, row: IncidentRow, quoted: QuotedHolder): Promise<Belonging> => {
    const [detections, activities, requests] = await Promise.all([
      deps.belonging.detections(row.device, row.opened, endOf(row)),
      deps.belonging.activities(row.account, row.opened, endOf(row)),
      deps.requestsOnPage(reader, row.uuid, quoted),
    ]);
    return { detections, activities, requests };
  };

  /** The events of the incident and of all that belongs to it. */
  const eventsOf = (
    row: IncidentRow,
    events: IncidentEventRow[],
    { detections, activities, requests }: Belonging,
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
      ...requests.events.map(({ time, kind, facts }) => line(time, kind, facts)),
      ...reached.map(({ time, facts }) => line(time, 'reached', facts)),
    ];
    if (row.over === null && ended <= now) lines.push(line(ended, 'over', { event: 'ended' }));
    return lines.toSorted(byTime);
  };

  const notifiedOf = async (
    reader: Reader,
    row: IncidentRow,
    events: IncidentEventRow[],
    { detections, activities, requests }: Belonging,
    { holder, rounds }: { holder: string; rounds: number[] },
  ): Promise<IncidentDelivery[]> => {
    const abouts: Record<IncidentNotice, string[]> = {
      alert: detections.map(({ uuid }) => uuid),
      unanswered: rounds.map((number) => nobodyAnsweredAbout(row.uuid, number)),
      change: activities.map(({ uuid }) => uuid),
      question: requests.uuids,
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
    /** The newest first; open and watched ones only. */
    async ofGuardian(account: string): Promise<IncidentSummary[]> {
      const since = after(clock.now(), -watched_for - 24 * 3_600_000);
      const rows = await incidents.list(account, { offset: 0, length: 10, since });
      return Promise.all(rows.filter((row) => stateOf(row, clock.now()) !== 'over').map(summaryOf));
    },

    async of(reader: Reader, row: IncidentRow): Promise<Incident> {
      const quoted = await deps.quotedHolder(reader.account);
      const [events, ticks, belonging, stopped, escalation, { person, time_zone }] = await Promise.all([
        incidents.events(row.uuid),
        incidents.steps(row.uuid),
        belongingTo(reader, row, quoted),
        deps.stoppedIn(row),
        deps.escalationOnPage(row.uuid, clock.now()),
        deviceWords(row),
      ]);
      const people = events.filter(isAnswered);
      const latest = (kind: IncidentEventRow['kind']) => people.findLast((event) => event.kind === kind);
      const onIt = people.filter(({ kind }) => kind === 'on_it');
      const accountOnIt = onIt.findLast(isFromAccount);
      const [over, mine] = [row.over === null ? undefined : latest('over'), latest('mine')];
      const may_end = await authority.ofEnd(reader, row);
      const offersEnd = may_end.may !== 'no' && stateOf(row, clock.now()) === 'open';
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
        events: eventsOf(row, events, belonging, { holder: firstName(quoted.holder), time_zone, reached: escalation.events }),
        notified: await notifiedOf(reader, row, events, belonging, { holder: quoted.holder, rounds: escalation.rounds }),
        requests: belonging.requests.views,
        escalation: escalation.view,
        stopped: stopped?.name ?? null,
        may_end,
        allowed_after: offersEnd ? await deps.allowedAfter(row, deps.db) : [],
        may_allow: (await deps.suspensionAt(reader.account, row.device)) ?? (await authority.ofIncident(reader, row)),
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
