import { type ActivityEntry, activityLogEndpoints } from '@porchlight/contract/activity-log.ts';
import { actSentence } from '@porchlight/contract/words/activities.ts';
import { inWordsOf, type TimesInWords } from '@porchlight/contract/words/activity-subject.ts';
import type { FastifyInstance } from 'fastify';
import { bind } from '../../http/bind.ts';
import type { Gates } from '../../http/gates.ts';
import { timesIn } from '../../texts/formatting.ts';
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
      const times = timesIn(await store.zoneOf(account));
      return { items: rows.map((row) => toAct(row, state, times)) };
    },
  });
}

function toAct(row: ActivityRow, state: AccountState, times: TimesInWords): ActivityEntry {
  const { uuid, kind, time, actor, device_name, what } = row;
  const device = device_name ?? '';
  const facts = { kind, who: actor ?? '', device, what: what ?? '' };
  return {
    uuid,
    ...facts,
    time: time.toISOString(),
    by: actor ?? device,
    words: actSentence(inWordsOf(facts, times)),
    undo: undoOf(row, state),
  };
}
