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
