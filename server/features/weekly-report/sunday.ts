/** The local hour at which the report is sent. */
import { language } from '@porchlight/contract/language.ts';
import { hour } from '@porchlight/contract/time.ts';

const sendHour = 9;

/** The Sunday as `2026-11-22`, from nine to nine o'clock; null at other times. An unknown zone is treated as UTC. */
export function sundayAt(now: Date, zone: string): string | null {
  const earlier = new Date(now.getTime() - sendHour * hour);
  const { weekday, year, month, day } = partsOf(earlier, zone);
  return weekday === 'Sun' ? `${year}-${month}-${day}` : null;
}

/** Milliseconds since the last nine o'clock in a time zone. */
export function sinceNine(now: Date, zone: string): number {
  const earlier = new Date(now.getTime() - sendHour * hour);
  const { hour: h, minute, second } = partsOf(earlier, zone);
  return Number(h) * hour + Number(minute) * 60_000 + Number(second) * 1_000 + now.getMilliseconds();
}

function partsOf(moment: Date, timeZone: string): Record<string, string> {
  const time = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const;
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
