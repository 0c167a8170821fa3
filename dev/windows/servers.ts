// Says which servers for names the adapters of this Windows have.
import { networkServers } from '@porchlight/agent/os/windows/network-servers.ts';

console.log(JSON.stringify(networkServers()()));
