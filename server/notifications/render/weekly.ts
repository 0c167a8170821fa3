import type { AgentLimitation, DeviceOutage } from '@porchlight/contract/device-health.ts';
import { counted, listOf } from '@porchlight/contract/language.ts';
import { day } from '@porchlight/contract/time.ts';
import { type WrittenEmail, writeEmail } from '../../texts/email.ts';
import { dayInWords, firstName } from '../../texts/formatting.ts';
import { noMessage, type Rendering } from './rendering.ts';

/** What makes a week not quiet (P15.6), the worst first: an email names only some. */
export type Happening =
  | 'detections'
  | 'opened_sites'
  | 'undelivered'
  | 'old_definitions'
  | 'incident'
  | 'silent'
  | 'scan'
  | 'requests'
  | 'changes';

export interface WeekFacts {
  alerts: { name: string; device_name: string; blocked: boolean }[];
  /** Paused sites that somebody at the computer opened for an hour, the newest first (P16.2). */
  opened_sites: { site: string; device_name: string }[];
  /** How many programs from the internet ran for the first time (P12.3). */
  new_programs: number;
  /** From when on they are counted if not for a week: on the first Sunday of a month. */
  programs_since: Date | null;
  devices: { name: string; last_seen: Date; outage: DeviceOutage['kind'] | null; limitations: AgentLimitation[] }[];
  /** How many things scans of the disks found. */
  found: number;
  incident: boolean;
  /** How many questions waited for a yes. */
  requests: number;
  /** How many changes weakened protection. Without appointments, of which everybody read at once, and which have ended. */
  changes: number;
  /** Whether people were notified that a computer was silent, which may be back. */
  was_silent: boolean;
  /** The people whose newest email or SMS of the week failed for good. `guardian`: null for the holder. */
  undelivered: { guardian: string | null; name: string }[];
  /** When anything of the definitions in force was last fetched or changed. */
  definitions_from: Date | null;
  had_report: boolean;
  happenings: Happening[];
  time_zone: string;
}

const alertsNamed = 3;
const devicesNamed = 4;
const happeningsNamed = 3;

interface Reader {
  /** Null for an email to the holder. */
  holder: string | null;
  /** The page of the button, and the page with the choice of quiet weeks. */
  url: string;
  choice_url: string;
  every_week: boolean;
}

export function weeklyEmail(facts: WeekFacts, now: Date, recipient: Reader): WrittenEmail {
  const { alerts, happenings } = facts;
  const isQuiet = happenings.length === 0;
  const unblockedCount = alerts.filter(({ blocked }) => !blocked).length;
  const heading = unblockedCount
    ? `This week ${counted(unblockedCount, 'thing')} got through`
    : alerts.length
      ? `This week we stopped ${counted(alerts.length, 'thing')}`
      : !isQuiet
        ? 'What happened this week'
        : recipient.every_week
          ? 'A quiet week'
          : 'All has been quiet';
  const holderName = recipient.holder === null ? null : firstName(recipient.holder);
  return writeEmail({
    subject: holderName ? `${holderName}: ${heading[0]?.toLowerCase()}${heading.slice(1)}` : heading,
    heading,
    sections: [
      { title: 'What happened', text: whatHappened(facts, recipient) },
      { title: holderName ? `${holderName}’s devices` : 'Your devices', text: states(facts, now) },
    ],
    button: { label: holderName ? `See how ${holderName} is` : 'Go to my dashboard', url: recipient.url },
    quiet: {
      label: recipient.every_week
        ? 'You get this report every week, also after a quiet one. Change that here'
        : 'After a quiet week you get no report, only one a month. Change that here',
      url: recipient.choice_url,
    },
  });
}

function whatHappened(facts: WeekFacts, { holder, every_week }: Reader): string {
  const { alerts, happenings, had_report, time_zone } = facts;
  const isMonth = happenings.length === 0 && !every_week && had_report;
  const names = facts.undelivered.map(({ guardian, name }) => (guardian === null && holder === null ? 'you' : firstName(name)));
  const sentences: Record<Exclude<Happening, 'detections'>, string> = {
    undelivered: `Some emails or texts didn’t reach ${listOf(new Set(names))}.`,
    old_definitions: facts.definitions_from
      ? `What we know about scams is from ${dayInWords(facts.definitions_from, time_zone)}. That’s too old.`
      : '',
    opened_sites: openedSites(facts.opened_sites),
    incident: 'There was trouble that we wrote to you about.',
    // A computer that is silent now is among the devices below.
    silent: facts.was_silent ? 'A computer was out of reach for some time.' : '',
    scan: `A scan found ${counted(facts.found, 'thing')}.`,
    requests: `${counted(facts.requests, 'question')} waited for a yes.`,
    changes: `${counted(facts.changes, 'change')} to the account or its computers.`,
  };
  const others = happenings.flatMap((happening) => (happening === 'detections' ? [] : sentences[happening] || []));
  return [
    isMonth ? 'It has been quiet since our last report.' : '',
    happened(alerts),
    ...others.slice(0, happeningsNamed),
    newPrograms(facts),
  ]
    .filter(Boolean)
    .join(' ');
}

function happened(alerts: WeekFacts['alerts']): string {
  if (!alerts.length) return 'Nothing had to be stopped.';
  const sentences = alerts
    .slice(0, alertsNamed)
    .map(({ name, device_name, blocked }) => `${name} on ${device_name} (${blocked ? 'stopped' : 'not stopped'})`);
  return `${[...sentences, ...moreTextOf(alerts.length - sentences.length)].join(', ')}.`;
}

function openedSites([newest, ...others]: WeekFacts['opened_sites']): string {
  if (!newest) return '';
  const what = `For an hour, someone opened ${newest.site} on ${newest.device_name}`;
  return others.length
    ? `${what} and ${counted(others.length, 'more page')}, which we had paused, because they look like scam sites to us.`
    : `${what}, which we had paused, because it looks like a scam site to us.`;
}

function newPrograms({ new_programs, programs_since, time_zone }: WeekFacts): string {
  const since = programs_since ? ` since ${dayInWords(programs_since, time_zone)}` : '';
  return new_programs > 0 ? `${counted(new_programs, 'new program')} from the internet ran for the first time${since}.` : '';
}

function states({ devices, time_zone }: WeekFacts, now: Date): string {
  const sentences = devices.slice(0, devicesNamed).map((device) => `${device.name}: ${stateOf(device, now, time_zone)}.`);
  return [...sentences, ...moreTextOf(devices.length - sentences.length).map((moreText) => `${moreText}.`)].join(' ');
}

function stateOf({ outage, last_seen, limitations: [limitation] }: WeekFacts['devices'][number], now: Date, zone: string): string {
  const since = dayInWords(last_seen, zone);
  if (outage === 'switched_off') return `switched off since ${since}`;
  if (outage === 'asleep') return `asleep since ${since}`;
  if (outage === 'stopped') return `stopped since ${since}, not protected`;
  if (outage === 'left') return 'not part of this account anymore';
  if (outage === 'uninstalled') return 'not protected anymore';
  if (outage === 'paused') return 'protection paused';
  if (outage === 'no_definitions') return 'on, but it can’t block anything yet';
  if (outage === 'vanished' || now.getTime() - last_seen.getTime() > day) return `not seen since ${since}`;
  return limitation ? limitedWords[limitation] : 'protected';
}

const limitedWords: Record<AgentLimitation, string> = {
  sites_not_blocked: 'on, but scam sites are not blocked there',
  few_sites_blocked: 'on, but only the best-known scam sites are blocked there',
  other_users_not_ended: 'on, but only one user’s programs are stopped there',
  internet_not_cut: 'on, but its internet can’t be cut from afar',
};

const moreTextOf = (moreCount: number) => (moreCount > 0 ? [`and ${moreCount} more`] : []);

export interface WeeklyFacts {
  account: string;
  /** The local date, such as `2026-11-22`. */
  sunday: string;
  week: WeekFacts;
  /** Something happened, or it is the first Sunday of a month: everyone gets it. Otherwise those alone who chose every week (P15.6). */
  is_due: boolean;
  /** What the holder chose. */
  every_week: boolean;
  now: Date;
}

export const weekly: Rendering<WeeklyFacts> = {
  delivery: ({ account, sunday }) => ({ category: 'weekly', about: `${account}:${sunday}`, urgency: 'bulk' }),
  toHolder: ({ week, is_due, every_week, now }, { dashboard_url: url }) =>
    is_due || every_week
      ? { email: weeklyEmail(week, now, { holder: null, url, choice_url: `${url}/profile/alerts`, every_week }), sms: null }
      : noMessage,
  toGuardian: ({ week, is_due, now }, { holder_name: holder, link: url, every_week = false }) =>
    is_due || every_week ? { email: weeklyEmail(week, now, { holder, url, choice_url: url, every_week }), sms: null } : noMessage,
};
