import type { Silence } from '@porchlight/contract/care.ts';
import { clock, inWords } from './dates.ts';

/** Why a device says nothing or does not protect, after its name: `Den PC` … `was switched off yesterday 18:02, and has not been on since`. */
export function silenceWords({ kind, since, until }: Silence, now: Date): string {
  const when = inWords(new Date(since), now);
  switch (kind) {
    case 'switched_off':
      return `was switched off ${when}, and has not been on since`;
    case 'asleep':
      return `went to sleep ${when}, and has not been on since`;
    case 'stopped':
      return `is without protection: someone ended the program ${when}`;
    case 'vanished':
      return `has not been seen since ${when}, and did not say why`;
    case 'paused':
      return until ? `is without protection until ${clock(new Date(until))}: someone paused it ${when}` : `was paused ${when}`;
    case 'left':
      return `does not belong to this account any more: it was connected elsewhere or has left ${when}`;
    case 'uninstalled':
      return `is no longer protected: the program was uninstalled ${when}`;
  }
}
