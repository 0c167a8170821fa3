/** The server's clock, which tests can turn. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** Milliseconds that nobody can turn, for how long something takes. */
export const stopwatch = () => performance.now();

export function after(moment: Date, ms: number): Date {
  return new Date(moment.getTime() + ms);
}

/** ISO 8601 of a time as the database writes it into JSON. */
export const isoTime = (text: string): string => new Date(text).toISOString();
