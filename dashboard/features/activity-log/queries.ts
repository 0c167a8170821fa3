import type { ActivityUndo } from '@porchlight/contract/activity-undo.ts';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../lib/call.ts';
import { useWrite } from '../../lib/use-write.ts';

export function useActivityLog() {
  return useQuery({ queryKey: ['acts'], queryFn: async () => (await call('GET /web/acts')).items, refetchInterval: 5000 });
}

/** Undoing reloads every query, since any result may have changed. */
export const useUndo = () => useWrite(undoEntry, []);

/** Ways to undo an activity by one press, without a page. */
export type DirectUndo = Extract<
  ActivityUndo,
  {
    way:
      | 'resume'
      | 'disallow'
      | 'profile_back'
      | 'settings'
      | 'browsing'
      | 'unlisted'
      | 'ask_first'
      | 'isolation'
      | 'guardian_order'
      | 'remove_guardian'
      | 'keep_account'
      | 'end_helping';
  }
>;

async function undoEntry(undo: DirectUndo): Promise<unknown> {
  switch (undo.way) {
    case 'resume':
      return call('POST /web/devices/:uuid/resume', { params: { uuid: undo.device } });
    case 'disallow':
      return call('DELETE /web/devices/:id/v2/exceptions', { params: { id: undo.device }, body: { id: undo.exception } });
    case 'settings':
      return call('PATCH /web/alert-settings', { body: undo.settings });
    case 'browsing':
      return call('PATCH /web/browsing-protection', { body: undo.choice });
    case 'unlisted':
      return call('PATCH /web/unlisted-protection', { body: undo.choice });
    case 'ask_first':
      return call('PATCH /web/holding', { body: { ask_first: true } });
    case 'isolation':
      return call('PATCH /web/guardians/:uuid', { params: { uuid: undo.guardian }, body: { may_isolate: undo.may_isolate } });
    case 'guardian_order':
      return call('PUT /web/guardians/order', { body: { order: undo.guardians } });
    case 'remove_guardian':
      return call('DELETE /web/guardians/:uuid', { params: { uuid: undo.guardian } });
    case 'keep_account':
      return call('POST /web/account/deletion/stop');
    case 'end_helping':
      return call('POST /web/appointments/:uuid/end', { params: { uuid: undo.appointment } });
    case 'profile_back': {
      const { name, info } = await call('GET /web/devices/:id', { params: { id: undo.device } });
      return call('POST /web/devices/:uuid', { params: { uuid: undo.device }, body: { name: name || info.name, policy: undo.policy } });
    }
  }
}
