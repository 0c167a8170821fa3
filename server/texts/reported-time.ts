/**
 * A time in the future, or before the device was installed, becomes `now`: with a flat battery a clock restarts at the same date, years
 * ago.
 */
export function reportedTime(time: string, installed: Date | null, now: Date): Date {
  const reportedDate = new Date(time);
  return reportedDate > now || (installed && reportedDate < installed) ? now : reportedDate;
}
