import { type AgentLimitation, agentLimitation } from '@porchlight/contract/device-health.ts';

export interface LimitationDeps {
  os: { endsOthers: boolean };
  /** Null where no filter changes this computer's DNS settings. */
  sites: { blocks(): 'all' | 'few' | 'none' } | null;
  /** Null likewise. `unavailable`: why the internet cannot be cut. */
  network: { unavailable(): string | null } | null;
}

/** What this agent cannot do here right now, the worst first: for the server and for the window. */
export function limitationsOf({ os, sites, network }: LimitationDeps): AgentLimitation[] {
  const blocks = sites?.blocks() ?? 'none';
  const present: Record<AgentLimitation, boolean> = {
    sites_not_blocked: blocks === 'none',
    few_sites_blocked: blocks === 'few',
    other_users_not_ended: !os.endsOthers,
    internet_not_cut: network === null || network.unavailable() !== null,
  };
  return agentLimitation.options.filter((limitation) => present[limitation]);
}
