import { activityKind } from '@porchlight/contract/activity-log.ts';
import { incidentOpener } from '@porchlight/contract/incident-events.ts';
import { codePurpose } from '@porchlight/contract/one-time-codes.ts';
import type { ScanItem } from '@porchlight/contract/scan.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { type DetectionCategory, detectionCategory } from '@porchlight/contract/shapes.ts';
import { expect, test } from 'vitest';
import { bodyWords, countWords } from '../../testing/body-words.ts';
import { quietWeek } from '../../testing/quiet-week.ts';
import { people } from '../../testing/read-aloud.ts';
import { lateMail } from '../../texts/late-message.ts';
import { pushOf } from './push.ts';
import { type Notification, render } from './render.ts';
import type { Happening } from './weekly.ts';

/** A frightened reader must get to the end: at most 60 words, in time and late, for each kind of user of the computer. */

const time = new Date('2026-11-21T14:05:00.000Z');
const soon = new Date('2026-11-21T14:20:00.000Z');
const [time_zone, device] = ['America/New_York', 'Den PC'];
const carol = { by: 'Carol', by_person: 'carol' };
const through = ['program', 'by_server', 'by_caller'] as const;
const booleans = [true, false];
const listed: DetectionCategory[] = ['RemoteControl', 'DeceptiveUtility', 'ScamWebsite'];
const item: ScanItem = {
  ...({ kind: 'programs', identifier: 'anydesk', category: 'RemoteControl', certainty: 'likely', details: '/tmp/AnyDesk' } as const),
  ...({ name: 'AnyDesk', did: 'put_away', blocked: true } as const),
};
const runs: ScanItem = { ...item, name: 'TeamViewer', did: 'left', blocked: false };

/** Notifications of one kind, about a computer of this user. */
type Cases<K extends Notification['kind']> = (
  person: (typeof people)[keyof typeof people],
) => Extract<Notification, { kind: K }>['facts'][];

const at = { device, time, time_zone };
const aboutRequest = (person: (typeof people)[keyof typeof people]) =>
  [['allowed'], ['allowed', 'paused', 'guardian_removed']].map((kinds) => ({
    ...{ ...at, person, request: 'r', incident: 'i' },
    activities: kinds.map((kind) => ({ kind: activityKind.parse(kind), what: kind === 'allowed' ? 'AnyDesk' : 'Bob', device })),
  }));
const act = (kind: (typeof activityKind.options)[number]) => ({ ...at, kind, what: 'AnyDesk' });

const cases: { [K in Notification['kind']]: Cases<K> } = {
  alert: (person) =>
    detectionCategory.options.flatMap((category) =>
      booleans.flatMap((blocked) =>
        // A quiet alert is about a page or a deceptive program.
        (category === 'ScamWebsite' || category === 'DeceptiveUtility' ? booleans : [false]).map((quiet) => ({
          ...{
            ...at,
            person,
            uuid: 'a',
            url: 'https://x.test',
            name: category === 'PastedCommand' ? 'A pasted PowerShell command' : 'AnyDesk',
            category,
            site: category === 'ScamWebsite',
            blocked,
          },
          // What is on no list has no likeness to anything.
          ...{ certainty: listed.includes(category) ? ('likely' as const) : ('certain' as const), now: time },
          ...{ help: undefined, may_reply: true, quiet },
        })),
      ),
    ),
  quiet_alerts: () =>
    [1, 9].map((count) => ({
      ...{ alert: 'a', url: 'https://x.test', since: time, time_zone },
      found: Array.from({ length: count }, (_, n) => ({ name: `evil-${n}.example.com`, device, site: n % 2 === 0 })),
    })),
  scan: (person) => [[item], [item, runs]].map((items) => ({ ...at, person, uuid: 's', device_uuid: 'd', items })),
  code_shown: (person) =>
    codePurpose.options.map((purpose) => ({ ...at, ...carol, person, id: 'c', incident: 'i', purpose, program: 'AnyDesk' })),
  drill: () => [{ uuid: 'd' }],
  outage: (person) =>
    (['switched_off', 'asleep', 'stopped', 'vanished'] as const).map((kind) => ({
      ...{ uuid: 'd', account: 'account', name: device, person, time_zone, kind, since: time },
    })),
  sudden_outage: (person) => booleans.map((trouble) => ({ uuid: 'd', name: device, person, time_zone, since: time, trouble })),
  outage_over: (person) =>
    (['was_offline', 'started'] as const).flatMap((how) =>
      booleans.map((protecting) => ({
        outage: { uuid: 'd', name: device, person, time_zone, since: time, trouble: true },
        back: { how, protecting },
      })),
    ),
  weakened: (person) =>
    activityKind.options.map((kind) => ({ uuid: 'u', act: { ...act(kind), person, late: true }, severe: true, first: true })),
  flood: (person) => [{ uuid: 'u', act: { ...act('paused'), person, late: true }, count: 8 }],
  // The list of changes is counted without its limit: it is what the email is for.
  grouped: (person) => [{ key: 'k', entries: [{ ...act('paused'), person }] }],
  unreachable: () => [{ uuid: 'g', name: 'Carol Example', mail: true, sms: true, last_sent: null }],
  unreached: () => [{ uuid: 'g', name: 'Carol Example', now: time }],
  weekly: () => {
    const facts = { account: 'account', sunday: '2026-11-22', now: time, is_due: true, every_week: false };
    const events = { found: 2, requests: 1, changes: 3, was_silent: true, definitions_from: new Date('2026-10-01') };
    const week = { ...quietWeek(time), new_programs: 3, programs_since: time };
    const alerts = [{ name: 'AnyDesk', device_name: device, blocked: true }];
    const undelivered = [{ guardian: 'g', name: 'Carol Example' }];
    const happenings: Happening[] = ['detections', 'undelivered', 'old_definitions', 'incident', 'silent', 'scan', 'requests', 'changes'];
    return [
      { ...facts, week: { ...week, had_report: false } },
      { ...facts, week },
      { ...facts, week: { ...week, ...events, alerts, undelivered, happenings } },
      { ...facts, week: { ...week, ...events, happenings: happenings.slice(4) } },
    ];
  },
  held_request: (person) => [
    ...(['run', 'open_money'] as const).flatMap((kind) =>
      booleans.map((can_answer) => ({
        ...{ ...at, person, request: 'r', incident: null, cause: 'waiting' as const, can_answer, asked: ['Bob', 'Carol'] },
        activities: [{ kind, what: 'A pasted command that downloads and starts a program', device }],
      })),
    ),
    ...aboutRequest(person).flatMap((facts) =>
      (['incident', 'second_act', 'ask_first', 'first_hour', 'asked'] as const).flatMap((cause) =>
        booleans.map((can_answer) => ({ ...facts, cause, can_answer, asked: ['Bob', 'Carol'] })),
      ),
    ),
  ],
  request_answered: (person) =>
    aboutRequest(person).flatMap((facts) =>
      (['yes', 'no'] as const).flatMap((answer) =>
        booleans.flatMap((undone) =>
          through.map((lets) => ({ ...facts, ...carol, answer, lets, undone, remains: answer === 'no' && !undone })),
        ),
      ),
    ),
  request_passed: (person) => aboutRequest(person).flatMap((facts) => (['hour', 'day'] as const).map((after) => ({ ...facts, after }))),
  request_lifted: (person) => aboutRequest(person).flatMap((facts) => through.map((lets) => ({ ...facts, lets }))),
  request_ended: (person) =>
    aboutRequest(person).flatMap((facts) => [
      { ...facts, end: { kind: 'unanswered' as const, after: 'day' as const } },
      { ...facts, end: { kind: 'impossible' as const, failure: 'exception_limit' as const } },
    ]),
  incident_over: (person) => [{ ...at, ...carol, person, incident: 'i' }],
  incident_checkup: (person) => [{ ...at, person, incident: 'i', opened: time }],
  guardian_stop: (person) =>
    [[], [{ device, until: soon }]].map((isolated) => ({
      ...at,
      ...carol,
      person,
      incident: 'i',
      account: 'account',
      until: soon,
      isolated,
    })),
  isolated: (person) => booleans.map((may_end) => ({ ...at, ...carol, person, incident: 'i', isolation: 'x', until: soon, may_end })),
  isolation_lost: (person) => [{ ...at, person, incident: 'i', isolation: 'x', by_person: null }],
  help: (person) => [{ ...at, person, incident: 'i', about: 'h', until: soon, by_person: null }],
  nobody_answered: (person) =>
    incidentOpener.options.map((opener) => ({ ...at, person, incident: 'i', about: 'n', opener, what: 'AnyDesk', calls_at: soon })),
};

const kinds = Object.keys(cases) as Notification['kind'][];

test.each(kinds)('the emails, texts and notifications about %s have at most 60 words each', (kind) => {
  for (const person of Object.values(people))
    for (const facts of cases[kind](person)) {
      const { delivery, toHolder, toGuardian } = render({ kind, facts } as Notification);
      for (const message of [
        toHolder({ uuid: 'account', name: 'Ann Example', dashboard_url: 'https://x.test' }),
        toGuardian({ uuid: 'guardian', name: 'Bob Example', holder_name: 'Ann Example', link: 'https://x.test/guardian/g/key' }),
      ]) {
        const { email, sms, late } = message;
        const happened = { time: time.toISOString(), time_zone, ...(late ? { late_email: late.email } : {}) };
        const emails = email
          ? [email, ...(delivery.happened ? [lateMail(email, happened, new Date('2026-11-22T13:05:00.000Z'))] : [])]
          : [];
        for (const one of emails) expect(bodyWords(one), one.text).toBeLessThanOrEqual(serverLimits.email_body_words_max);
        const push = pushOf(message, delivery);
        for (const text of [sms ?? '', push?.body ?? ''])
          expect(countWords(text), text).toBeLessThanOrEqual(serverLimits.email_body_words_max);
      }
    }
});
