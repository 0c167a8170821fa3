import { emailAddress } from '@porchlight/contract/shapes.ts';
import { Usage } from '@porchlight/definitions/cli/command-line.ts';

/** Values of options, read strictly: each throws `Usage` with what it should have been. `name` with its dashes. */

export function wholeNumber(name: string, typed: string, { min, max }: { min: number; max: number }): number {
  const value = /^\d{1,9}$/.test(typed) ? Number(typed) : Number.NaN;
  if (!(value >= min && value <= max))
    throw new Usage(`${name} should be a whole number from ${min} to ${max}, for example ${name} ${Math.max(min, 5)}.`);
  return value;
}

/** More than 0 and at most 100, with up to two places. */
export function percent(name: string, typed: string): number {
  const value = /^\d{1,3}(\.\d{1,2})?$/.test(typed) ? Number(typed) : Number.NaN;
  if (!(value > 0 && value <= 100)) throw new Usage(`${name} should be a number above 0 and at most 100, for example ${name} 25.`);
  return value;
}

/** A code stands in an address that people type, so it has nothing in it that an address would have to escape. */
export function codeText(name: string, typed: string, max: number): string {
  if (!/^[A-Za-z0-9_-]+$/.test(typed) || typed.length < 3 || typed.length > max) {
    throw new Usage(`${name} should be 3 to ${max} letters, digits, dashes or underscores, for example ${name} SPRING-2027.`);
  }
  return typed;
}

/** A day as `2027-01-31`: its last second in UTC, so that what ends on that day still works on it. */
export function lastMoment(name: string, typed: string, now: Date): Date {
  const moment = new Date(`${typed}T23:59:59Z`);
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(typed) && !Number.isNaN(moment.getTime()) && dayOf(moment) === typed;
  if (!isDay) throw new Usage(`${name} should be a day that exists, written as ${name} ${now.getUTCFullYear() + 1}-01-31.`);
  if (moment <= now) throw new Usage(`${name} ${typed} is over already; choose a day that is still to come.`);
  return moment;
}

export const dayOf = (moment: Date) => moment.toISOString().slice(0, 10);

/** Only http and https: this becomes something that people press. */
export function webLink(name: string, typed: string): string {
  const url = URL.canParse(typed) ? new URL(typed) : null;
  if (!url || !/^https?:$/.test(url.protocol) || !/^https?:\/\//i.test(typed) || typed.length > 1000) {
    throw new Usage(
      `${name} should be a web address that begins with https:// or http://, for example ${name} https://www.example.org/help.`,
    );
  }
  return url.href;
}

export function email(name: string, typed: string): string {
  const read = emailAddress.safeParse(typed);
  if (!read.success) throw new Usage(`${name} should be an email address, for example ${name} ann@example.org.`);
  return read.data;
}

/** A phone number as it is to be read: digits, with the signs that people put between them. */
export function phone(name: string, typed: string): string {
  if (!/^\+?[\d\s().-]{3,40}$/.test(typed) || !/\d{3}/.test(typed.replace(/\D/g, ''))) {
    throw new Usage(`${name} should be a phone number, for example ${name} 1-800-555-0100.`);
  }
  return typed.trim();
}

/** Words for people: not empty, on one line, not longer than `max`. */
export function words(name: string, typed: string, max: number): string {
  const text = typed.trim();
  const control = /\p{Cc}/u.test(text);
  if (!text || text.length > max || control) throw new Usage(`${name} should be a text of 1 to ${max} characters on one line, in quotes.`);
  return text;
}
