import { language } from '@porchlight/contract/language.ts';

/** Far more than the time zones of one country, in each of the forms in which the server writes times. */
const maxFormatters = 200;

/**
 * American formatters, each made once, because making one takes far longer than formatting with it. Users choose the time zones, so at
 * most `max` are cached, those that were used last, and unknown zones never.
 */
export function dateFormatters(max: number) {
  const cached = new Map<string, Intl.DateTimeFormat>();

  return {
    count: () => cached.size,

    /** Null for an unknown time zone. */
    of(timeZone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat | null {
      const key = JSON.stringify([timeZone, options]);
      const formatter = cached.get(key) ?? newFormatter(timeZone, options);
      if (!formatter) return null;
      // The first key of a map is its oldest one.
      cached.delete(key);
      cached.set(key, formatter);
      const [oldest = ''] = cached.keys();
      if (cached.size > max) cached.delete(oldest);
      return formatter;
    },
  };
}

function newFormatter(timeZone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat | null {
  try {
    return new Intl.DateTimeFormat(language, { ...options, timeZone });
  } catch (err) {
    if (err instanceof RangeError) return null;
    throw err;
  }
}

const { of } = dateFormatters(maxFormatters);

/** `Nov 21`, as the options say. Null for an unknown time zone. SMS, in GSM-7, have no narrow no-break space, so it is replaced. */
export const formattedDate = (moment: Date, timeZone: string, options: Intl.DateTimeFormatOptions): string | null =>
  of(timeZone, options)?.format(moment).replaceAll('\u202f', ' ') ?? null;

/** The usual name of a time zone: `UTC` for `Etc/UTC`, and for an unknown zone. */
export const knownZone = (timeZone: string): string => of(timeZone, {})?.resolvedOptions().timeZone ?? 'UTC';
