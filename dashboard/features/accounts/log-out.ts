import { call } from '../../lib/call.ts';
import { endSession } from '../../lib/session.ts';
import { clearStored } from '../../lib/tab-storage.ts';

/** Ends the session here at once, and on the server as soon as it can be reached; the cache and what the tab stored are cleared. */
export function logOut(): void {
  call('POST /web/logout').catch(() => {});
  endSession('logout');
  clearStored();
}
