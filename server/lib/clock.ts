/** The server's clock, which tests can turn. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

export function after(moment: Date, ms: number): Date {
  return new Date(moment.getTime() + ms);
}
