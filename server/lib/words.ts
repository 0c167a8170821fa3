/** A moment in words, in the time zone of the computer it happened on: `14:05 on Tuesday 3 March`. An unknown zone falls back to UTC and says so. */
export function momentInWords(moment: Date, zone: string): string {
  const known = isZone(zone);
  const at = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-GB', { ...options, timeZone: known ? zone : 'UTC' }).format(moment);
  const clock = at({ hour: '2-digit', minute: '2-digit' });
  const date = at({ weekday: 'long', day: 'numeric', month: 'long' }).replace(',', '');
  return `${clock}${known && zone !== 'UTC' ? '' : ' UTC'} on ${date}`;
}

function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

/** The first of the names of a person: what a friend calls them. */
export function firstName(name: string): string {
  return name.trim().split(/\s+/)[0] ?? name;
}
