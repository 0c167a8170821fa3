import type { WeakeningActivity } from '@porchlight/contract/activity-log.ts';
import { listOf } from '@porchlight/contract/language.ts';
import type { NewPrograms, UnlistedProtection } from '@porchlight/contract/unlisted-protection.ts';

const strength: Record<NewPrograms, number> = { count: 0, incident: 1, always: 2 };

/** What follows *Ann turned off*. */
const words = {
  pasted_commands: 'stopping pasted commands',
  new_programs: { always: 'asking about every new program', incident: 'asking about new programs' },
  doors: 'watching for ways in',
  money_pages: 'resting money pages',
  resting: (sites: string[]) => `resting ${listOf(sites)}`,
};

const without = (list: string[], others: string[]) => list.filter((site) => !others.includes(site));

/** Each part that the new choice weakens, with the former choice of that part. */
export function weakeningActivities(before: UnlistedProtection, now: UnlistedProtection): WeakeningActivity[] {
  const off = (what: string, unlisted: Partial<UnlistedProtection>): WeakeningActivity => ({
    kind: 'unlisted_off',
    what,
    before: { unlisted },
  });
  const activities: WeakeningActivity[] = [];
  if (before.pasted_commands && !now.pasted_commands) activities.push(off(words.pasted_commands, { pasted_commands: true }));
  if (strength[now.new_programs] < strength[before.new_programs]) {
    const former = before.new_programs === 'always' ? 'always' : 'incident';
    activities.push(off(words.new_programs[former], { new_programs: before.new_programs }));
  }
  if (before.doors && !now.doors) activities.push(off(words.doors, { doors: true }));
  if (before.money_pages && !now.money_pages) activities.push(off(words.money_pages, { money_pages: true }));
  const [removed, opened] = [without(before.money_sites, now.money_sites), without(now.money_open, before.money_open)];
  if (removed.length) activities.push(off(words.resting(removed), { money_sites: before.money_sites }));
  if (opened.length) activities.push(off(words.resting(opened), { money_open: before.money_open }));
  return activities;
}
