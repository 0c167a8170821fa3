import { hour } from '@porchlight/contract/time.ts';
import { sql } from 'kysely';
import type { Db, Trx } from '../db/open.ts';
import { after, type Clock } from '../lib/clock.ts';
import type { Named } from '../texts/quoted-name.ts';

/** In milliseconds: so long messages use the earlier name (P18.1). */
const before_for = 72 * hour;
/** In milliseconds after it was made: until then a thing gets its first name. */
const first_name_for = 24 * hour;

const tables = { device: 'devices', profile: 'custom_policies', holder: 'accounts' } as const;
export type Renamed = keyof typeof tables;

export interface Rename {
  kind: Renamed;
  before: string;
  after: string;
}

/** A stranger in the account must not write their own words into our messages by a name: see `Rename` (P18.1). */
export function renameStore(clock: Clock) {
  /** Whether messages use the earlier name: 72 hours, and as long as an incident is open that the rename came after. */
  const counts = (now: Date) => sql<boolean>`(
    r.time > ${after(now, -before_for)} or exists (
      select 1 from incidents i
      where i.account = r.account and i.over is null and i.last_opener > ${after(now, -24 * hour)} and i.opened <= r.time
    ))`;

  return {
    /** Call it before the change. A name within 24 hours of the beginning is no rename. Several are one, with the first name as `before`. */
    async note(trx: Trx, kind: Renamed, uuid: string, name: string): Promise<void> {
      const now = clock.now();
      const account = kind === 'holder' ? sql.ref('uuid') : sql.ref('account');
      await sql`
        insert into renames as r (kind, id, account, before, after, time)
        select ${kind}, uuid, ${account}, name, ${name}, ${now} from ${sql.table(tables[kind])}
        where uuid = ${uuid} and name <> ${name} and created <= ${after(now, -first_name_for)}
        on conflict (kind, id) do update set
          before = case when ${counts(now)} then r.before else excluded.before end, after = excluded.after, time = excluded.time
      `.execute(trx);
    },

    /** The renames of the account that messages do not follow yet. */
    async of(account: string, connection: Db | Trx): Promise<Rename[]> {
      const { rows } = await sql<Rename>`
        select kind, before, after from renames r where account = ${account} and ${counts(clock.now())}`.execute(connection);
      return rows;
    },
  };
}

/** The name as messages know it. */
export function nameOfBefore(renames: Rename[], kind: Named, name: string): string {
  return renames.find((one) => one.kind === kind && one.after === name)?.before ?? name;
}
