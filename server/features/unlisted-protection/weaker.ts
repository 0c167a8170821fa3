import type { WeakeningActivity } from '@porchlight/contract/activity-log.ts';
import type { NewPrograms, UnlistedProtection } from '@porchlight/contract/unlisted-protection.ts';

const strength: Record<NewPrograms, number> = { count: 0, incident: 1, always: 2 };

const without = (list: string[], others: string[]) => list.filter((site) => !others.includes(site));

/** Each part that the new choice weakens, with the former choice of that part. */
export function weakeningActivities(before: UnlistedProtection, now: UnlistedProtection): WeakeningActivity[] {
  const off = (what: string, unlisted: Partial<UnlistedProtection>): WeakeningActivity => ({
    kind: 'unlisted_off',
    what,
    before: { unlisted },
  });
  const activities: WeakeningActivity[] = [];
  if (before.pasted_commands && !now.pasted_commands) activities.push(off('pasted_commands', { pasted_commands: true }));
  if (strength[now.new_programs] < strength[before.new_programs]) {
    const former = before.new_programs === 'always' ? 'always' : 'incident';
    activities.push(off(`new_programs_${former}`, { new_programs: before.new_programs }));
  }
  if (before.doors && !now.doors) activities.push(off('doors', { doors: true }));
  if (before.money_pages && !now.money_pages) activities.push(off('money_pages', { money_pages: true }));
  const [removed, opened] = [without(before.money_sites, now.money_sites), without(now.money_open, before.money_open)];
  if (removed.length) activities.push(off(removed.join(' '), { money_sites: before.money_sites }));
  if (opened.length) activities.push(off(opened.join(' '), { money_open: before.money_open }));
  return activities;
}
