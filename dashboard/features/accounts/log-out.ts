import { leavePush } from '../../integrations/push-end.ts';
import { holderPush } from '../../integrations/push-record.ts';
import { call } from '../../lib/call.ts';
import { endSession } from '../../lib/session.ts';
import { clearStored } from '../../lib/tab-storage.ts';

/** Logs out, on the server only if it is reachable; ends notifications, and clears the cache and the tab's storage. */
export function logOut(): void {
  leavePush(holderPush());
  call('POST /web/logout').catch(() => {});
  forgetLogin();
}

/** What is left in this browser once the server has ended all sessions of the account, and its notifications. */
export function afterLogOutEverywhere(): void {
  leavePush(holderPush());
  forgetLogin();
}

function forgetLogin(): void {
  endSession('logout');
  clearStored();
}
