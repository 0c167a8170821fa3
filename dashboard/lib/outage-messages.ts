import { brand } from '@porchlight/contract/brand.ts';
import type { DeviceOutage } from '@porchlight/contract/device-health.ts';
import { counted } from '@porchlight/contract/language.ts';
import { atMoment, clockOrDay, inWords } from './dates.ts';

/** Follows the device's name: `Den PC` … `was switched off yesterday at 6:02 PM, and has not been on since`. */
export function outageMessage({ kind, since, until, clock_off_days }: DeviceOutage, now: Date): string {
  const when = atMoment(new Date(since), now);
  switch (kind) {
    case 'switched_off':
      return `was switched off ${when}, and has not been on since`;
    case 'asleep':
      return `went to sleep ${when}, and has not been on since`;
    case 'stopped':
      return `is not protected: someone closed ${brand.name} ${when}`;
    case 'vanished':
      return `has been out of contact since ${inWords(new Date(since), now)}, and we don’t know why`;
    case 'paused':
      return `is not protected: someone paused it ${when}${until ? `, until ${clockOrDay(new Date(until), now)}` : ''}`;
    case 'left':
      return `is not protected: it left this account ${when}`;
    case 'no_definitions':
      return `is on, but it can’t block anything yet: it has no list of known scam programs and sites${clockText(clock_off_days)}`;
    case 'uninstalled':
      return `is not protected: ${brand.name} was uninstalled ${when}`;
  }
}

const clockText = (days = 0) =>
  days > 0 ? `, and its clock is wrong by about ${days === 1 ? 'a day' : counted(days, 'day')}. Set the date and time on it` : '';
