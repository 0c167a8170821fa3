import { leavePush } from '../../integrations/push-end.ts';
import { holderPush } from '../../integrations/push-record.ts';
import { call } from '../../lib/call.ts';
import { endSession } from '../../lib/session.ts';
import { clearStored } from '../../lib/tab-storage.ts';

/** Logs out, on the server only if it is reachable; ends notifications, and clears the cache and the tab's storage. */
export function logOut(): void {
  leavePush(holderPush());
  call('POST /web/logout').catch(() => {});
  endSession('logout');
  clearStored();
}
