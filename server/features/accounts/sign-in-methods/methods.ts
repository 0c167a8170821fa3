import type { SignInMethods } from '@porchlight/contract/sign-in-methods.ts';
import type { Db } from '../../../db/open.ts';

/** What an account has beside its password (P13.1), from the tables of all kinds. */
export function signInMethodsOf(db: Db) {
  return async (account: string): Promise<SignInMethods> => {
    const passkeys = await db
      .selectFrom('passkeys')
      .select(['uuid', 'name', 'created', 'last_used'])
      .where('account', '=', account)
      .orderBy('created')
      .orderBy('uuid')
      .execute();
    const authenticator = await db.selectFrom('authenticators').select('created').where('account', '=', account).executeTakeFirst();
    const { left } = await db
      .selectFrom('recovery_codes')
      .select(({ fn }) => fn.countAll<string>().as('left'))
      .where('account', '=', account)
      .executeTakeFirstOrThrow();
    return {
      passkeys: passkeys.map(({ created, last_used, ...passkey }) => ({
        ...passkey,
        created: created.toISOString(),
        last_used: last_used?.toISOString() ?? null,
      })),
      authenticator: authenticator?.created.toISOString() ?? null,
      recovery_codes_left: Number(left),
    };
  };
}
