import type { AgentInfo } from '@porchlight/contract/agent.ts';

export const agentInfo: AgentInfo = {
  name: 'den-pc',
  platform: 'linux',
  os_version: 'Debian 12',
  arch: 'x64',
  agent_version: '1.0.0',
  time_zone: 'America/New_York',
  limitations: [],
};

export const checkInBody = {
  ...{ info: agentInfo, protecting: true, problems: [], says_sleep: false, strict_for: 0, leaves_in: null, asks: [] },
};
