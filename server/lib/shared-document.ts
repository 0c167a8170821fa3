import type { Db } from '../db/open.ts';

/** A JSON document in the database that several processes read and change. */
export interface SharedDocument<T> {
  /**
   * Does `work` on the newest content while nobody else may, and resolves with its answer when the change is stored. What `work` throws is
   * thrown again, after what it had changed until then was stored.
   */
  change<R>(work: (content: T) => R): Promise<R>;
  /** The newest content, to look at only. */
  read<R>(look: (content: T) => R): Promise<R>;
}

type Outcome<R> = { done: true; value: R } | { done: false; reason: unknown };

/** The document called `name`; `fresh` makes the first content, and what an older content lacks. */
export async function sharedDocument<T extends object>(db: Db, name: string, fresh: () => T): Promise<SharedDocument<T>> {
  await db
    .insertInto('shared_documents')
    .values({ name, version: 1, content: JSON.stringify(fresh()) })
    .onConflict((oc) => oc.doNothing())
    .execute();
  // The content is large and mostly changed by this process: it is read again only when another one has changed it.
  let newest: { version: number; text: string; content: T } | null = null;
  const take = (row: { version: number; content: string }) => {
    newest = { version: row.version, text: row.content, content: { ...fresh(), ...(JSON.parse(row.content) as T) } };
    return newest;
  };
  const rows = (on: Pick<Db, 'selectFrom'>) => on.selectFrom('shared_documents').where('name', '=', name);
  const contentOf = async (on: Pick<Db, 'selectFrom'>) => rows(on).select(['version', 'content']).executeTakeFirstOrThrow();

  // One after the other: they share the content in memory.
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <R>(work: () => Promise<R>): Promise<R> => {
    const mine = turn.then(work).catch((reason: unknown) => {
      // What is in memory may be ahead of what is stored.
      newest = null;
      throw reason;
    });
    turn = mine.catch(() => {});
    return mine;
  };

  return {
    async change<R>(work: (content: T) => R): Promise<R> {
      const outcome = await inTurn(() =>
        db.transaction().execute(async (trx): Promise<Outcome<R>> => {
          const { version } = await rows(trx).select('version').forUpdate().executeTakeFirstOrThrow();
          const now = newest?.version === version ? newest : take(await contentOf(trx));
          const result = attempt(() => work(now.content));
          const text = JSON.stringify(now.content);
          if (text === now.text) return result;
          await trx
            .updateTable('shared_documents')
            .set({ version: version + 1, content: text })
            .where('name', '=', name)
            .execute();
          Object.assign(now, { version: version + 1, text });
          return result;
        }),
      );
      if (!outcome.done) throw outcome.reason;
      return outcome.value;
    },

    read: (look) =>
      inTurn(async () => {
        const { version } = await rows(db).select('version').executeTakeFirstOrThrow();
        return look((newest?.version === version ? newest : take(await contentOf(db))).content);
      }),
  };
}

function attempt<R>(work: () => R): Outcome<R> {
  try {
    return { done: true, value: work() };
  } catch (reason) {
    return { done: false, reason };
  }
}
