import { call } from '../../lib/call.ts';
import { endSession } from '../../lib/session.ts';
import { clearStored } from '../../lib/tab-storage.ts';

/** Logs out, on the server only if it is reachable; clears the cache and the tab's storage. */
export function logOut(): void {
  call('POST /web/logout').catch(() => {});
  endSession('logout');
  clearStored();
}
