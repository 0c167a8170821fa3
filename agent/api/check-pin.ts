import type { Identity } from '../state/store.ts';
import { type Call, isTransient, Refused } from './call.ts';

export const remotePinCheck =
  (call: Call) =>
  async ({ agent_token: token }: Identity, pin: string): Promise<'right' | 'wrong' | 'unreachable' | 'server_locked'> => {
    // The API accepts at most 40 characters for a PIN.
    if (!pin || pin.length > 40) return 'wrong';
    try {
      return (await call('POST /agent/pin', { body: { pin } }, { token })).right ? 'right' : 'wrong';
    } catch (err) {
      if (err instanceof Refused && err.code === 'too_many') return 'server_locked';
      if (err instanceof Refused && !isTransient(err) && !['unauthorized', 'device_removed'].includes(err.code)) return 'wrong';
      return 'unreachable';
    }
  };
