import { randomUUID } from 'node:crypto';
import type { Db } from '../db/open.ts';

export interface StoredItem {
  /** Begins with the time: ids sort by arrival. */
  id: string;
  received: string;
  content: Buffer;
}

export interface StoredItems {
  add(content: Buffer): Promise<void>;
  list(): Promise<StoredItem[]>;
}

/** Several processes share the items in the database. */
export function storedItems(db: Db, kind: string): StoredItems {
  const cachedItems = new Map<string, StoredItem>();
  return {
    async add(content) {
      const id = `${new Date().toISOString().replaceAll(':', '')}-${randomUUID()}`;
      await db.insertInto('simulator_items').values({ id, kind, content }).execute();
    },
    async list() {
      const rows = await db.selectFrom('simulator_items').select('id').where('kind', '=', kind).orderBy('id', 'desc').execute();
      const missingIds = rows.filter(({ id }) => !cachedItems.has(id)).map(({ id }) => id);
      if (missingIds.length) {
        const foundRows = await db.selectFrom('simulator_items').select(['id', 'content']).where('id', 'in', missingIds).execute();
        for (const { id, content } of foundRows) cachedItems.set(id, { id, received: receivedAt(id), content });
      }
      return rows.flatMap(({ id }) => cachedItems.get(id) ?? []);
    },
  };
}

function receivedAt(id: string): string {
  return id.slice(0, 22).replace(/T(\d\d)(\d\d)/, 'T$1:$2:');
}
