import type { AgentLimitation } from './device-health.ts';

/** Whether these are those of an agent that has no rights of an administrator, or does not run for the whole computer: an installed one has both. */
export const isNotInstalled = (limitations: AgentLimitation[]): boolean =>
  limitations.includes('other_users_not_ended') || (limitations.includes('sites_not_blocked') && limitations.includes('internet_not_cut'));
