import { type Expression, type SqlBool, sql } from 'kysely';
import type { Db } from '../../db/open.ts';

export interface ListedAccount {
  uuid: string;
  name: string;
  email: string;
  email_verified: boolean;
  phone_number: string | null;
  created: Date;
  device_names: string[];
  /** Those who accepted. */
  guardians: number;
}

/** Finds accounts for the operator. */
export function accountDirectory(db: Db) {
  const listed = (where: Expression<SqlBool>, max: number): Promise<ListedAccount[]> =>
    db
      .selectFrom('accounts as a')
      .select(['a.uuid', 'a.name', 'a.email', 'a.email_verified', 'a.phone_number', 'a.created'])
      .select([
        sql<string[]>`array(select name from devices where account = a.uuid order by created, uuid)`.as('device_names'),
        sql<number>`(select count(*)::int from guardians where account = a.uuid and accepted is not null)`.as('guardians'),
      ])
      .where(where)
      .orderBy(sql`lower(a.email)`)
      .limit(max)
      .execute();

  return {
    /** By address, in the order of its index: every page takes as long as the first. `after`: an address; null for the first page. */
    page: (after: string | null, max: number) =>
      listed(after === null ? sql<SqlBool>`true` : sql<SqlBool>`lower(a.email) > ${after.toLowerCase()}`, max),

    /** The address after which a page goes on that ended with this account. */
    addressOf: async (uuid: string): Promise<string | null> =>
      (await db.selectFrom('accounts').select('email').where('uuid', '=', uuid).executeTakeFirst())?.email ?? null,

    /** The account or the device with this id. */
    withId: (uuid: string, max: number) =>
      listed(
        sql<SqlBool>`a.uuid in (select uuid from accounts where uuid = ${uuid} union select account from devices where uuid = ${uuid})`,
        max,
      ),

    /** `number`: E.164. */
    withPhone: (number: string, max: number) => listed(sql<SqlBool>`a.phone_number = ${number}`, max),

    /** Part of an address, of a name or of a device's name, in any case. Reads all of them: no index knows parts. */
    withText: (text: string, max: number) =>
      listed(
        sql<SqlBool>`a.uuid in (
          select uuid from accounts where strpos(lower(email), lower(${text})) > 0 or strpos(lower(name), lower(${text})) > 0
          union select account from devices where strpos(lower(name), lower(${text})) > 0)`,
        max,
      ),
  };
}
