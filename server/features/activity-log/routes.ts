import { type ActivityEntry, activityLogEndpoints } from '@porchlight/contract/activity-log.ts';
import type { FastifyInstance } from 'fastify';
import { bind } from '../../http/bind.ts';
import type { Gates } from '../../http/gates.ts';
import { actSentence } from '../../notifications/render/activity-sentences.ts';
import type { ActivityRow, ActivityStore } from './store.ts';
import { type AccountState, undoOf } from './undo.ts';
import type { UndoStore } from './undo-store.ts';

export interface ActivityRouteDeps {
  gates: Gates;
  store: ActivityStore;
  undo: UndoStore;
}

export function activityRoutes(app: FastifyInstance, { gates, store, undo }: ActivityRouteDeps): void {
  bind(app, gates, activityLogEndpoints, {
    async 'GET /web/acts'({ account }) {
      const rows = await store.list(account);
      const state = await undo.stateOf(account, rows);
      return { items: rows.map((row) => toAct(row, state)) };
    },
  });
}

function toAct(row: ActivityRow, state: AccountState): ActivityEntry {
  const { uuid, kind, time, actor, device_name, what } = row;
  const device = device_name ?? '';
  return {
    uuid,
    kind,
    time: time.toISOString(),
    by: actor ?? device,
    words: actSentence({ kind, who: actor ?? '', device, what: what ?? '' }),
    undo: undoOf(row, state),
  };
}
