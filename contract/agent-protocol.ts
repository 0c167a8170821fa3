/** Of the calls between agents and servers. It grows with each change that the other side would not understand. */
export const agent_protocol = 1;

/** Each call of an agent has this header with its `agent_protocol`. */
export const agent_protocol_header = 'x-porchlight-protocol';

/** What an update needs: these calls stay as they are, so that an agent of any protocol can update. */
const ofUpdates = new Set(['GET /agent/update', 'GET /agent/keys']);
export const needsProtocol = (key: string): boolean => /^\w+ \/agent\//.test(key) && !ofUpdates.has(key);

/** Why a server refuses an agent's call. Null: both have the same protocol, or the caller is no agent. */
export function protocolRefusal(
  key: string,
  header: unknown,
  ofServer: number = agent_protocol,
): 'agent_outdated' | 'server_outdated' | null {
  if (header === undefined || !needsProtocol(key) || header === String(ofServer)) return null;
  return Number(header) > ofServer ? 'server_outdated' : 'agent_outdated';
}
