import type { Db } from '../db/open.ts';

export interface SharedDocument<T> {
  /** Runs `work` under a lock, and resolves when the change is stored. An error of `work` is rethrown, after its changes were stored. */
  change<R>(work: (content: T) => R): Promise<R>;
  read<R>(select: (content: T) => R): Promise<R>;
}

type Outcome<R> = { done: true; value: R } | { done: false; reason: unknown };

/** `initial` creates the first content. */
export async function sharedDocument<T extends object>(db: Db, name: string, initial: () => T): Promise<SharedDocument<T>> {
  await db
    .insertInto('shared_documents')
    .values({ name, version: 1, content: JSON.stringify(initial()) })
    .onConflict((oc) => oc.doNothing())
    .execute();
  // A cache, because the content is large and mostly changed by this process.
  let newestRow: { version: number; text: string; content: T } | null = null;
  const cache = (row: { version: number; content: string }) => {
    newestRow = { version: row.version, text: row.content, content: JSON.parse(row.content) as T };
    return newestRow;
  };
  const rows = (dbOrTrx: Pick<Db, 'selectFrom'>) => dbOrTrx.selectFrom('shared_documents').where('name', '=', name);
  const contentOf = async (dbOrTrx: Pick<Db, 'selectFrom'>) => rows(dbOrTrx).select(['version', 'content']).executeTakeFirstOrThrow();

  // Changes run one at a time: they share the content in memory.
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <R>(work: () => Promise<R>): Promise<R> => {
    const pending = turn.then(work).catch((reason: unknown) => {
      // The cached content may be newer than the stored content.
      newestRow = null;
      throw reason;
    });
    turn = pending.catch(() => {});
    return pending;
  };

  return {
    async change<R>(work: (content: T) => R): Promise<R> {
      const outcome = await inTurn(() =>
        db.transaction().execute(async (trx): Promise<Outcome<R>> => {
          const { version } = await rows(trx).select('version').forUpdate().executeTakeFirstOrThrow();
          const current = newestRow?.version === version ? newestRow : cache(await contentOf(trx));
          const result = attempt(() => work(current.content));
          const text = JSON.stringify(current.content);
          if (text === current.text) return result;
          await trx
            .updateTable('shared_documents')
            .set({ version: version + 1, content: text })
            .where('name', '=', name)
            .execute();
          Object.assign(current, { version: version + 1, text });
          return result;
        }),
      );
      if (!outcome.done) throw outcome.reason;
      return outcome.value;
    },

    read: (select) =>
      inTurn(async () => {
        const { version } = await rows(db).select('version').executeTakeFirstOrThrow();
        return select((newestRow?.version === version ? newestRow : cache(await contentOf(db))).content);
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
