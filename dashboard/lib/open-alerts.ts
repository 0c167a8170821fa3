import type { AlertAnswer } from '@porchlight/contract/detections.ts';
import { day } from '@porchlight/contract/time.ts';

export interface SafeAlert {
  uuid: string;
  device_id: string;
  info: {
    name: string;
    last_time: string;
    blocked: boolean;
    certainty: 'certain' | 'likely';
    site: boolean;
    quiet?: 'alone' | 'together' | undefined;
  };
  answers?: AlertAnswer[] | undefined;
}

export function isRecent(time: string, now: Date): boolean {
  return now.getTime() - new Date(time).getTime() < day;
}

/** Those that wait for an answer; a quiet one needs none (P15.9). Unblocked alerts first, so that later blocked ones do not hide them. */
export function openAlerts(alerts: SafeAlert[], now: Date): SafeAlert[] {
  const open = alerts.filter((alert) => isRecent(alert.info.last_time, now) && !alert.info.quiet && !alert.answers?.length);
  return open.toSorted((a, b) => Number(a.info.blocked) - Number(b.info.blocked));
}
