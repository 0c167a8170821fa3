import { brand } from '@porchlight/contract/brand.ts';
import type { DeviceOutage } from '@porchlight/contract/device-health.ts';
import { clockOrDay, inWords } from './dates.ts';

/** Follows the device's name: `Den PC` … `was switched off yesterday 18:02, and has not been on since`. */
export function outageMessage({ kind, since, until }: DeviceOutage, now: Date): string {
  const when = inWords(new Date(since), now);
  switch (kind) {
    case 'switched_off':
      return `was switched off ${when}, and has not been on since`;
    case 'asleep':
      return `went to sleep ${when}, and has not been on since`;
    case 'stopped':
      return `is not protected: someone closed ${brand.name} ${when}`;
    case 'vanished':
      return `has been out of contact since ${when}, and we don’t know why`;
    case 'paused':
      return `is not protected: someone paused it ${when}${until ? `, until ${clockOrDay(new Date(until), now)}` : ''}`;
    case 'left':
      return `is not protected: it left this account ${when}`;
    case 'uninstalled':
      return `is not protected: ${brand.name} was uninstalled ${when}`;
  }
}
