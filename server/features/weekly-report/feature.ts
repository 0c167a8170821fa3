import type { Kernel } from '../../kernel.ts';
import { type WeeklyDeps, weeklyMails } from './reports.ts';

/** The email of each Sunday. */
export function weeklyReportFeature(kernel: Pick<Kernel, 'db' | 'clock' | 'enqueue' | 'notify'>, asks: Pick<WeeklyDeps, 'settings'>) {
  const weekly = weeklyMails({ ...kernel, ...asks });
  return { ports: { queueWeeklies: weekly.queueAll }, jobs: weekly.handlers };
}
