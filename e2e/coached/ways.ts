import { firstHourWays } from './first-hour.ts';
import { flows } from './flows.ts';
import type { Way } from './way.ts';
import { waysAround } from './ways-around.ts';

export const ways: Way[] = [...flows, ...firstHourWays, ...waysAround];
