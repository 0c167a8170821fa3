/** Where every part of the server gets the time from, so that a test can turn it. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** A moment `ms` milliseconds after another one. */
export function after(moment: Date, ms: number): Date {
  return new Date(moment.getTime() + ms);
}
