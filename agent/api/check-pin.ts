import type { Identity } from '../state/store.ts';
import { type Call, mayPass, Refused } from './call.ts';

/** Asks the server whether a PIN is right, for a device that has no hash yet. */
export const remotePinCheck =
  (call: Call) =>
  async ({ agent_token: token }: Identity, pin: string): Promise<'right' | 'wrong' | 'unreachable' | 'server_locked'> => {
    // The server would only refuse such a PIN.
    if (!pin || pin.length > 40) return 'wrong';
    try {
      return (await call('POST /agent/pin', { body: { pin } }, { token })).right ? 'right' : 'wrong';
    } catch (err) {
      if (err instanceof Refused && err.code === 'too_many') return 'server_locked';
      if (err instanceof Refused && !mayPass(err) && err.code !== 'unauthorized') return 'wrong';
      return 'unreachable';
    }
  };
