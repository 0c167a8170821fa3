import { needsProtocol } from '@porchlight/contract/agent-protocol.ts';
import { type Call, isOtherProtocol } from './call.ts';

/** Whether the server refuses this program's protocol. `problem`: what to do, in a sentence for users; null while the server understands us. */
export function protocolWatch(call: Call): { call: Call; problem(): string | null } {
  let problem: string | null = null;
  return {
    async call(key, input, options) {
      try {
        const answer = await call(key, input, options);
        if (needsProtocol(key)) problem = null;
        return answer;
      } catch (err) {
        if (isOtherProtocol(err)) problem = err.message;
        throw err;
      }
    },
    problem: () => problem,
  };
}
