import { randomUUID } from 'node:crypto';
import type { DevicePolicy } from '@porchlight/contract/agent.ts';

/** What changes in a policy when a guardian cuts the internet for `ms` milliseconds. */
export function isolationFor(ms: number, change: Partial<DevicePolicy['isolation']> = {}, issued = new Date()) {
  const until = new Date(issued.getTime() + ms).toISOString();
  return { issued: issued.toISOString(), isolation: { uuid: randomUUID(), by: 'Anna', until, may_end: false, ...change } };
}
