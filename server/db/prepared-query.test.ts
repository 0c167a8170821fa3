import { sql } from 'kysely';
import { expect, inject, onTestFinished, test } from 'vitest';
import { commonDatabase, withDatabase } from '../testing/global-setup.ts';
import { openDb } from './open.ts';
import { preparedQuery } from './prepared-query.ts';

test('a prepared query is built once, and each call sends its own values beside the fixed ones', async () => {
  const { db, close } = openDb(withDatabase(inject('postgres_url'), commonDatabase), 2);
  onTestFinished(close);
  let built = 0;
  const query = preparedQuery(db, (values: { key: Buffer; time: Date; word: string | null }) => {
    built += 1;
    return db
      .selectNoFrom([
        sql<string>`encode(${values.key}::bytea, 'hex')`.as('key'),
        sql<Date>`${values.time}::timestamptz`.as('time'),
        sql<string | null>`${values.word}::text`.as('word'),
      ])
      .where(sql<boolean>`${'fixed'} = 'fixed'`)
      .where(sql<boolean>`${values.word}::text is distinct from 'absent'`);
  });
  const [first, second] = [new Date('2026-11-21T14:05:00.000Z'), new Date('2026-11-22T14:05:00.000Z')];
  const rows = await Promise.all([
    query({ key: Buffer.from([1]), time: first, word: 'one' }),
    query({ key: Buffer.from([2]), time: second, word: null }),
    query({ key: Buffer.from([3]), time: second, word: 'absent' }),
  ]);
  expect(rows).toEqual([[{ key: '01', time: first, word: 'one' }], [{ key: '02', time: second, word: null }], []]);
  expect(built).toBe(1);
});
