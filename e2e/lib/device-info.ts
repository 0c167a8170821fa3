import type { AgentInfo } from '@porchlight/contract/agent.ts';

export const anyDevice = {
  name: 'mum',
  platform: 'windows',
  os_version: 'Windows 11',
  arch: 'x64',
  agent_version: '1.0.0',
  time_zone: 'UTC',
  limitations: [],
} satisfies AgentInfo;
