const hour = 3_600_000;
/** In the holder's own time: the mail comes on Sunday from then on, and until a day later where no server ran. */
const from = 9;

/** The Sunday whose mail may go out now in a time zone, as `2026-11-22`; null at any other time. An unknown zone counts as UTC. */
export function sundayAt(now: Date, zone: string): string | null {
  // Nine hours earlier it was midnight on Sunday: so the whole day from nine to nine is Sunday.
  const earlier = new Date(now.getTime() - from * hour);
  const { weekday, year, month, day } = partsOf(earlier, zone);
  return weekday === 'Sun' ? `${year}-${month}-${day}` : null;
}

/** How long ago it was nine o'clock in a time zone, in milliseconds: less than a day. */
export function sinceNine(now: Date, zone: string): number {
  const earlier = new Date(now.getTime() - from * hour);
  const { hour: h, minute, second } = partsOf(earlier, zone);
  return Number(h) * hour + Number(minute) * 60_000 + Number(second) * 1_000 + now.getMilliseconds();
}

function partsOf(moment: Date, timeZone: string): Record<string, string> {
  const time = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const;
  const options = { weekday: 'short', year: 'numeric', month: '2-digit', day: '2-digit', ...time } as const;
  const parts = (zone: string) => new Intl.DateTimeFormat('en-US', { ...options, timeZone: zone }).formatToParts(moment);
  const known = (() => {
    try {
      return parts(timeZone);
    } catch {
      return parts('UTC');
    }
  })();
  return Object.fromEntries(known.map(({ type, value }) => [type, value]));
}
