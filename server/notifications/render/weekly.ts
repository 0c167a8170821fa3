import type { Silence } from '@porchlight/contract/care.ts';
import { type WrittenEmail, writeEmail } from '../../lib/email.ts';
import { dayInWords, firstName } from '../../lib/formatting.ts';
import type { Rendering } from './rendering.ts';

export interface WeekFacts {
  /** The alerts of the week, newest first. */
  alerts: { name: string; device_name: string; blocked: boolean }[];
  devices: { name: string; last_seen: Date; silence: Silence['kind'] | null }[];
  time_zone: string;
}

/** How many of each kind the email names: it stays short. */
const alertsNamed = 3;
const devicesNamed = 4;
const day = 24 * 3_600_000;

/** `whose`: `your` for the holder; the button leads to `url`. */
export function weeklyEmail(facts: WeekFacts, now: Date, to: { holder: string | null; url: string }): WrittenEmail {
  const { alerts } = facts;
  const through = alerts.filter(({ blocked }) => !blocked).length;
  const heading = through
    ? `This week ${count(through, 'thing')} got through`
    : alerts.length
      ? `This week we stopped ${count(alerts.length, 'thing')}`
      : 'A quiet week';
  const who = to.holder === null ? null : firstName(to.holder);
  return writeEmail({
    subject: who ? `${who}: ${heading[0]?.toLowerCase()}${heading.slice(1)}` : heading,
    heading,
    parts: [
      { title: 'What happened', text: happened(alerts) },
      { title: who ? `${who}’s devices` : 'Your devices', text: states(facts, now) },
    ],
    button: { label: who ? `See how ${who} is` : 'Go to my dashboard', url: to.url },
  });
}

function happened(alerts: WeekFacts['alerts']): string {
  if (!alerts.length) return 'Nothing had to be stopped.';
  const named = alerts
    .slice(0, alertsNamed)
    .map(({ name, device_name, blocked }) => `${name} on ${device_name} (${blocked ? 'stopped' : 'not stopped'})`);
  return `${[...named, ...more(alerts.length - named.length)].join(', ')}.`;
}

function states({ devices, time_zone }: WeekFacts, now: Date): string {
  const named = devices.slice(0, devicesNamed).map((device) => `${device.name}: ${stateOf(device, now, time_zone)}.`);
  return [...named, ...more(devices.length - named.length).map((rest) => `${rest}.`)].join(' ');
}

function stateOf({ silence, last_seen }: WeekFacts['devices'][number], now: Date, zone: string): string {
  const since = dayInWords(last_seen, zone);
  if (silence === 'switched_off') return `switched off since ${since}`;
  if (silence === 'asleep') return `asleep since ${since}`;
  if (silence === 'stopped') return `stopped since ${since}, not protected`;
  if (silence === 'left') return 'not part of this account any more';
  if (silence === 'uninstalled') return 'not protected any more';
  if (silence === 'paused') return 'protection paused';
  return silence === 'vanished' || now.getTime() - last_seen.getTime() > day ? `not seen since ${since}` : 'protected';
}

const more = (rest: number) => (rest > 0 ? [`and ${rest} more`] : []);
const count = (n: number, what: string) => `${n} ${what}${n === 1 ? '' : 's'}`;

export interface WeeklyFacts {
  account: string;
  /** The date there, `2026-11-22`. */
  sunday: string;
  week: WeekFacts;
  now: Date;
}

export const weekly: Rendering<WeeklyFacts> = {
  delivery: ({ account, sunday }) => ({ category: 'weekly', about: `${account}:${sunday}`, urgency: 'bulk' }),
  toHolder: ({ week, now }, { dashboard_url }) => ({ email: weeklyEmail(week, now, { holder: null, url: dashboard_url }), sms: null }),
  toGuardian: ({ week, now }, { holder_name, link }) => ({ email: weeklyEmail(week, now, { holder: holder_name, url: link }), sms: null }),
};
