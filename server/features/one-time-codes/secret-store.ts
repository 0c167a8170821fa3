import { randomBytes, randomUUID } from 'node:crypto';
import { type CodeSecret, oneTimeCodes } from '@porchlight/contract/one-time-codes.ts';
import { sql } from 'kysely';
import type { Db } from '../../db/open.ts';
import type { PolicyPart } from '../../ports.ts';
import type { Sealer } from '../../secrets/seal.ts';

/** The secrets of one-time codes: one for each device, made when it is first needed, and sealed at rest (P10.7). */
export function codeSecretStore(db: Db, sealer: Pick<Sealer, 'seal' | 'open'>) {
  const find = (device: string) =>
    db.selectFrom('code_secrets').select(['id', 'sealed_secret']).where('device', '=', device).executeTakeFirst();

  /** Undefined when the device was removed meanwhile. */
  const findOrMake = async (device: string) => {
    const known = await find(device);
    if (known) return known;
    const secret = randomBytes(oneTimeCodes.secret_bytes).toString('base64url');
    // Simultaneous calls may each make one; the first stays.
    await db
      .insertInto('code_secrets')
      .columns(['device', 'id', 'sealed_secret'])
      .expression((q) =>
        q
          .selectFrom('devices')
          .select(({ val, cast }) => [
            'uuid',
            cast<string>(val(randomUUID()), 'uuid').as('id'),
            cast<string>(val(sealer.seal(secret)), 'text').as('sealed_secret'),
          ])
          .where('uuid', '=', device)
          .forKeyShare(),
      )
      .onConflict((oc) => oc.doNothing())
      .execute();
    return find(device);
  };

  return {
    /** The id of the device's secret; null for a device that was removed meanwhile. */
    inPolicy: {
      found: sql`(select s.id from code_secrets s where s.device = d.uuid)`,
      read: async (found, { device }) => found ?? (await findOrMake(device))?.id ?? null,
    } satisfies PolicyPart<string | null, string | null>,

    async secretOf(device: string): Promise<CodeSecret | null> {
      const row = await findOrMake(device);
      return row ? { id: row.id, secret: sealer.open(row.sealed_secret) } : null;
    },
  };
}
