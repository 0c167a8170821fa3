/**
 * When something happened that a device reports with the time of its own clock, which may be wrong. Nothing has happened in the future, and nothing is
 * reported from before the device was one: a flat battery begins each day at the same moment of years ago. Then it is now.
 */
export function reportedTime(time: string, installed: Date | null, now: Date): Date {
  const said = new Date(time);
  return said > now || (installed && said < installed) ? now : said;
}
