import type { Identity } from '../state/store.ts';
import { type Call, mayPass, Refused } from './call.ts';

/** Whether the server says that a PIN is right: for a device that is too new to be given the hash. A server that cannot be asked says nothing. */
export const remotePinCheck =
  (call: Call) =>
  async ({ agent_token: token }: Identity, pin: string): Promise<'right' | 'wrong' | 'unreachable' | 'server_locked'> => {
    // Longer than any PIN, or nothing at all: the server would only say that it is none.
    if (!pin || pin.length > 40) return 'wrong';
    try {
      return (await call('POST /agent/pin', { body: { pin } }, { token })).right ? 'right' : 'wrong';
    } catch (err) {
      if (err instanceof Refused && err.code === 'too_many') return 'server_locked';
      if (err instanceof Refused && !mayPass(err) && err.code !== 'unauthorized') return 'wrong';
      return 'unreachable';
    }
  };
