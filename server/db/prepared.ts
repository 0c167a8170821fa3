import { createHash } from 'node:crypto';
import type { PostgresPoolClient } from 'kysely';
import type pg from 'pg';

/** Makes a pool's connections prepare the statements that are sent often. */
export interface PreparedStatements {
  /** A connection that was just taken from its pool, for as long as it is not released. `onRelease`: called after its return to the pool. */
  lease(client: pg.PoolClient, onRelease?: () => void): PostgresPoolClient;
}

/** How often a statement is sent before it gets a name. */
const often = 8;
/** In PostgreSQL, each connection stores each of its statements with a plan, which together take tens of kilobytes. */
const names_max = 250;
/** Beyond this number of texts, counting starts again: lists of different lengths make ever more texts. */
const counted_max = 1_000;
/** In characters: an insert of many rows has a text for each number of rows. */
const text_max = 8_000;

/** The statements that have a plan. */
const planned = /^\s*(?:select|insert|update|delete|with)\b/i;
/** The other statements that change no table. */
const ofSession = /^\s*(?:begin|start|commit|rollback|savepoint|release|set|lock|show|listen|notify)\b/i;
/** A new column would change the result, which PostgreSQL refuses to a prepared statement. Neither `count(*)` nor a product is meant. */
const allColumns = /(?:\.|,\s*|\b(?:select|returning|distinct|all)\s+)\*|\)\s*\*\s*(?:,|from\b|$)/i;

/** Codes of PostgreSQL. */
const unusable = new Set(['42883', '42804', '26000', '42P05']);

export const canBePrepared = (text: string) => planned.test(text) && !allColumns.test(text);

/**
 * PostgreSQL parses and plans a statement with a name once per connection; otherwise it does so each time. Connections are of one process at a
 * time, so a pooler in between must keep sessions.
 */
export function preparedStatements(): PreparedStatements {
  const nameOf = statementNames();
  /** Grows when a change of the tables has made prepared statements unusable. Connections of an earlier generation are closed after use. */
  let generation = 0;
  const generations = new WeakMap<pg.PoolClient, number>();

  return {
    lease(client, onRelease) {
      const own = generations.get(client) ?? generation;
      generations.set(client, own);
      let hasChangedTables = false;

      const query = async (text: string, values: readonly unknown[] = []): Promise<pg.QueryResult> => {
        const sent = values as unknown[];
        if (!planned.test(text)) {
          if (!ofSession.test(text)) hasChangedTables = true;
          return client.query(text, sent);
        }
        const name = hasChangedTables || own !== generation ? null : nameOf(text);
        if (name === null) return client.query(text, sent);
        const isInTransaction = client.getTransactionStatus() !== 'I';
        try {
          return await client.query({ name, text, values: sent });
        } catch (err) {
          if (!isUnusable(err)) throw err;
          if (own === generation) generation += 1;
          // The error has ended the transaction, which only its caller can repeat.
          if (isInTransaction) throw err;
          return client.query(text, sent);
        }
      };
      return {
        query: query as unknown as PostgresPoolClient['query'],
        release() {
          client.release(own !== generation);
          onRelease?.();
        },
      };
    },
  };
}

/** Returns a text's name; null for a statement that is not prepared. Counts the text. */
function statementNames(): (text: string) => string | null {
  const counts = new Map<string, number>();
  const names = new Map<string, string>();
  return (text) => {
    const name = names.get(text);
    if (name !== undefined) return name;
    if (names.size >= names_max || text.length > text_max) return null;
    const count = (counts.get(text) ?? 0) + 1;
    if (count < often || !canBePrepared(text)) {
      if (counts.size >= counted_max) counts.clear();
      counts.set(text, count);
      return null;
    }
    counts.delete(text);
    const newName = createHash('sha256').update(text).digest('base64url');
    names.set(text, newName);
    return newName;
  };
}

/**
 * After a change of a table, a prepared statement has a result of another type, or its values, whose types stay as they were, no longer fit
 * (`undefined_function`, `datatype_mismatch`). And a pooler may have given the connection to another process, so that it lost the statement or
 * already has it. An error undoes the statement, so it can be sent again.
 */
function isUnusable(err: unknown): boolean {
  const { code, routine } = err as { code?: string; routine?: string };
  return (code === '0A000' && routine === 'RevalidateCachedQuery') || unusable.has(code ?? '');
}
