import { readOrigin } from '@porchlight/contract/websites.ts';
import { describe, expect, test } from 'vitest';
import { notificationOrigins } from './notification-origins.ts';
import { isSharedHost } from './public-suffix.ts';

const origins = notificationOrigins.flatMap((page) => page.origins);

describe('[P15.5] the list of mail, calendar and message pages', () => {
  test.each(origins)('%s is an exact origin whose names below belong to one owner', (origin) => {
    expect(readOrigin(origin)).toBe(origin);
    expect(new URL(origin).port).toBe('');
    expect(isSharedHost(new URL(origin).hostname)).toBe(false);
  });

  test('has each origin once, and its pages and their origins in order', () => {
    expect(new Set(origins).size).toBe(origins.length);
    const names = notificationOrigins.map(({ name }) => name.toLowerCase());
    expect(names).toEqual(names.toSorted());
    for (const page of notificationOrigins) expect(page.origins).toEqual(page.origins.toSorted());
  });

  test.each(['https://mail.google.com', 'https://outlook.live.com', 'https://calendar.google.com', 'https://web.whatsapp.com'])(
    'has %s',
    (origin) => expect(origins).toContain(origin),
  );

  test.each(['https://google.com', 'https://www.google.com', 'https://www.facebook.com', 'https://meet.google.com'])(
    'does not have %s, which shows more than messages',
    (origin) => expect(origins).not.toContain(origin),
  );
});
