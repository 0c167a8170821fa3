import { emailAddress } from '@porchlight/contract/shapes.ts';
import { Usage } from '@porchlight/definitions/cli/command-line.ts';

/** Parsers of option values. Each throws `Usage` with the expected value. */

export function wholeNumber(name: string, optionValue: string, { min, max }: { min: number; max: number }): number {
  const value = /^\d{1,9}$/.test(optionValue) ? Number(optionValue) : Number.NaN;
  if (!(value >= min && value <= max))
    throw new Usage(`${name} should be a whole number from ${min} to ${max}, for example ${name} ${Math.max(min, 5)}.`);
  return value;
}

export function percent(name: string, optionValue: string): number {
  const value = /^\d{1,3}(\.\d{1,2})?$/.test(optionValue) ? Number(optionValue) : Number.NaN;
  if (!(value > 0 && value <= 100)) throw new Usage(`${name} should be a number above 0 and at most 100, for example ${name} 25.`);
  return value;
}

/** A code is part of a URL that people type, so it has only characters that need no escaping. */
export function codeText(name: string, optionValue: string, max: number): string {
  if (!/^[A-Za-z0-9_-]+$/.test(optionValue) || optionValue.length < 3 || optionValue.length > max) {
    throw new Usage(`${name} should be 3 to ${max} letters, digits, dashes or underscores, for example ${name} SPRING-2027.`);
  }
  return optionValue;
}

/** The last second of a day such as `2027-01-31`, in UTC: an expiry date includes its whole day. */
export function lastMoment(name: string, optionValue: string, now: Date): Date {
  const moment = new Date(`${optionValue}T23:59:59Z`);
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(optionValue) && !Number.isNaN(moment.getTime()) && dayOf(moment) === optionValue;
  if (!isDay) throw new Usage(`${name} should be a day that exists, written as ${name} ${now.getUTCFullYear() + 1}-01-31.`);
  if (moment <= now) throw new Usage(`${name} ${optionValue} is over already; choose a day that is still to come.`);
  return moment;
}

export const dayOf = (moment: Date) => moment.toISOString().slice(0, 10);

export { utcText as timeText } from '../texts/formatting.ts';

export const isId = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

/** Only http and https, because the URL becomes a link. */
export function webLink(name: string, optionValue: string): string {
  const url = URL.canParse(optionValue) ? new URL(optionValue) : null;
  if (!url || !/^https?:$/.test(url.protocol) || !/^https?:\/\//i.test(optionValue) || optionValue.length > 1000) {
    throw new Usage(
      `${name} should be a web address that begins with https:// or http://, for example ${name} https://www.example.org/help.`,
    );
  }
  return url.href;
}

export function email(name: string, optionValue: string): string {
  const parsed = emailAddress.safeParse(optionValue);
  if (!parsed.success) throw new Usage(`${name} should be an email address, for example ${name} ann@example.org.`);
  return parsed.data;
}

export function phone(name: string, optionValue: string): string {
  if (!/^\+?[\d\s().-]{3,40}$/.test(optionValue) || !/\d{3}/.test(optionValue.replace(/\D/g, ''))) {
    throw new Usage(`${name} should be a phone number, for example ${name} 1-800-555-0100.`);
  }
  return optionValue.trim();
}

export function plainText(name: string, optionValue: string, max: number): string {
  const text = optionValue.trim();
  const control = /\p{Cc}/u.test(text);
  if (!text || text.length > max || control) throw new Usage(`${name} should be a text of 1 to ${max} characters on one line, in quotes.`);
  return text;
}
