import { randomUUID } from 'node:crypto';
import type { Db } from '../db/open.ts';

export interface StoredItem {
  /** Named by the time, so that ids sort as the items came. */
  id: string;
  /** When it came, ISO 8601. */
  received: string;
  content: Buffer;
}

/** Things of one kind that were taken in, as they came. */
export interface StoredItems {
  /** Stored before this resolves. */
  add(content: Buffer): Promise<void>;
  /** Newest first. */
  list(): Promise<StoredItem[]>;
}

/** In the database, so that several processes share them. */
export function storedItems(db: Db, kind: string): StoredItems {
  const known = new Map<string, StoredItem>();
  return {
    async add(content) {
      const id = `${new Date().toISOString().replaceAll(':', '')}-${randomUUID()}`;
      await db.insertInto('kept_items').values({ id, kind, content }).execute();
    },
    async list() {
      const rows = await db.selectFrom('kept_items').select('id').where('kind', '=', kind).orderBy('id', 'desc').execute();
      const unknown = rows.filter(({ id }) => !known.has(id)).map(({ id }) => id);
      if (unknown.length) {
        const found = await db.selectFrom('kept_items').select(['id', 'content']).where('id', 'in', unknown).execute();
        for (const { id, content } of found) known.set(id, { id, received: receivedAt(id), content });
      }
      return rows.flatMap(({ id }) => known.get(id) ?? []);
    },
  };
}

function receivedAt(id: string): string {
  return id.slice(0, 22).replace(/T(\d\d)(\d\d)/, 'T$1:$2:');
}
