import type { AgentLimitation, DeviceOutage } from '@porchlight/contract/device-health.ts';
import { counted } from '@porchlight/contract/language.ts';
import { day } from '@porchlight/contract/time.ts';
import { type WrittenEmail, writeEmail } from '../../texts/email.ts';
import { dayInWords, firstName } from '../../texts/formatting.ts';
import type { Rendering } from './rendering.ts';

export interface WeekFacts {
  alerts: { name: string; device_name: string; blocked: boolean }[];
  /** How many programs from the internet ran for the first time (P12.3). */
  new_programs: number;
  devices: { name: string; last_seen: Date; outage: DeviceOutage['kind'] | null; limitations: AgentLimitation[] }[];
  time_zone: string;
}

const alertsNamed = 3;
const devicesNamed = 4;

/** `holder`: null for an email to the holder; `url`: of the button. */
export function weeklyEmail(facts: WeekFacts, now: Date, recipient: { holder: string | null; url: string }): WrittenEmail {
  const { alerts, new_programs } = facts;
  const unblockedCount = alerts.filter(({ blocked }) => !blocked).length;
  const heading = unblockedCount
    ? `This week ${counted(unblockedCount, 'thing')} got through`
    : alerts.length
      ? `This week we stopped ${counted(alerts.length, 'thing')}`
      : 'A quiet week';
  const holderName = recipient.holder === null ? null : firstName(recipient.holder);
  return writeEmail({
    subject: holderName ? `${holderName}: ${heading[0]?.toLowerCase()}${heading.slice(1)}` : heading,
    heading,
    sections: [
      { title: 'What happened', text: [happened(alerts), newPrograms(new_programs)].filter(Boolean).join(' ') },
      { title: holderName ? `${holderName}’s devices` : 'Your devices', text: states(facts, now) },
    ],
    button: { label: holderName ? `See how ${holderName} is` : 'Go to my dashboard', url: recipient.url },
  });
}

function happened(alerts: WeekFacts['alerts']): string {
  if (!alerts.length) return 'Nothing had to be stopped.';
  const sentences = alerts
    .slice(0, alertsNamed)
    .map(({ name, device_name, blocked }) => `${name} on ${device_name} (${blocked ? 'stopped' : 'not stopped'})`);
  return `${[...sentences, ...moreTextOf(alerts.length - sentences.length)].join(', ')}.`;
}

const newPrograms = (n: number) => (n > 0 ? `${counted(n, 'new program')} from the internet ran for the first time.` : '');

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
  now: Date;
}

export const weekly: Rendering<WeeklyFacts> = {
  delivery: ({ account, sunday }) => ({ category: 'weekly', about: `${account}:${sunday}`, urgency: 'bulk' }),
  toHolder: ({ week, now }, { dashboard_url }) => ({ email: weeklyEmail(week, now, { holder: null, url: dashboard_url }), sms: null }),
  toGuardian: ({ week, now }, { holder_name, link }) => ({ email: weeklyEmail(week, now, { holder: holder_name, url: link }), sms: null }),
};
