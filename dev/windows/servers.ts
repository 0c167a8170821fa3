import { networkServers } from '@porchlight/agent/os/windows/network-servers.ts';

console.log(JSON.stringify(networkServers()()));
