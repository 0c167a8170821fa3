import { language } from '@porchlight/contract/language.ts';
import { day } from '@porchlight/contract/time.ts';

/** The local hour at which the report is sent. */
const sendHour = 9;

/** The Sunday as `2026-11-22`, from nine to nine o'clock; null at other times. An unknown zone is treated as UTC. */
export function sundayAt(now: Date, zone: string): string | null {
  const { weekday, year, month, day: date, hour } = partsOf(now, zone);
  const today = `${year}-${month}-${date}`;
  const isMorning = Number(hour) < sendHour;
  if (weekday === 'Sun' && !isMorning) return today;
  return weekday === 'Mon' && isMorning ? daysBefore(today, 1) : null;
}

/** Nine o'clock in a time zone, on a date such as `2026-11-22`. */
export function nineOn(date: string, zone: string): Date {
  const nineUtc = Date.parse(`${date}T0${sendHour}:00:00Z`);
  const { year, month, day: localDay, hour, minute } = partsOf(new Date(nineUtc), zone);
  const offset = Date.parse(`${year}-${month}-${localDay}T${hour}:${minute}:00Z`) - nineUtc;
  return new Date(nineUtc - offset);
}

/** Whether it is the first Sunday of its month, on which also quiet weeks are reported (P15.6). */
export const isFirstSunday = (sunday: string): boolean => Number(sunday.slice(-2)) <= 7;

export const daysBefore = (date: string, days: number): string => new Date(Date.parse(date) - days * day).toISOString().slice(0, 10);

/** The first Sunday of the month before, for a first Sunday. */
export const lastFirstSunday = (sunday: string): string => daysBefore(sunday, isFirstSunday(daysBefore(sunday, 28)) ? 28 : 35);

function partsOf(moment: Date, timeZone: string): Record<string, string> {
  const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  const options = { weekday: 'short', year: 'numeric', month: '2-digit', day: '2-digit', ...time } as const;
  const formatParts = (zone: string) => new Intl.DateTimeFormat(language, { ...options, timeZone: zone }).formatToParts(moment);
  const formatted = (() => {
    try {
      return formatParts(timeZone);
    } catch {
      return formatParts('UTC');
    }
  })();
  return Object.fromEntries(formatted.map(({ type, value }) => [type, value]));
}
