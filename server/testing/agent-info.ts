import type { AgentInfo } from '@porchlight/contract/agent.ts';

export const agentInfo: AgentInfo = {
  name: 'den-pc',
  platform: 'linux',
  os_version: 'Debian 12',
  arch: 'x64',
  agent_version: '1.0.0',
  time_zone: 'America/New_York',
};
