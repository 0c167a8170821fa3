import type { signInEndpoints } from '@porchlight/contract/sign-in-methods.ts';
import { minute } from '@porchlight/contract/time.ts';
import type { Trx } from '../../../db/open.ts';
import type { Handlers } from '../../../http/bind.ts';
import { weakeningCall } from '../../../http/weakening-call.ts';
import type { Kernel } from '../../../kernel.ts';
import { fail } from '../../../lib/errors.ts';
import type { AccountEmails } from '../account-emails.ts';
import { validLink } from '../emailed-links.ts';
import type { LinkStore } from '../links.ts';
import type { SessionStore } from '../sessions.ts';
import type { AccountStore } from '../store.ts';
import { appInWords, passkeyInWords } from './added-methods.ts';
import type { AuthenticatorStore } from './authenticator-store.ts';
import type { Passkeys } from './passkeys.ts';
import type { RecoveryCodeStore } from './recovery-codes.ts';

export interface AddedMethodRemovalDeps extends Pick<Kernel, 'db' | 'clock' | 'limit' | 'weakening'> {
  links: LinkStore;
  store: AccountStore;
  passkeys: Passkeys;
  authenticators: AuthenticatorStore;
  recoveryCodes: RecoveryCodeStore;
  sessions: SessionStore;
  mails: AccountEmails;
}

/** `name`: the passkey's; null for an authenticator app, which has none. */
interface AddedMethod {
  account: string;
  uuid: string;
  name: string | null;
  created: Date;
  /** When the first addition was that it undoes. */
  since: Date;
  /** The address that the link was sent to. */
  email: string;
}

type Routes = Pick<Handlers<typeof signInEndpoints>, 'POST /remove-sign-in/details' | 'POST /remove-sign-in'>;

/** The link of the email about a new way to log in removes it (P13.1). Only the second call acts, since mail scanners open links (P2.1). */
export function addedMethodRemoval(deps: AddedMethodRemovalDeps): Routes {
  const { db, links, store, authenticators, recoveryCodes } = deps;
  const passkeys = deps.passkeys.store;
  const limitOf = (ip: string) => deps.limit('link', ip, { max: 30, per: 10 * minute });

  /** Throws `link_invalid` for a used link too, and for one whose passkey or app was removed in another way. */
  const find = async (trx: Trx, token: string): Promise<AddedMethod> => {
    const { account, about, email, used } = await validLink(deps, trx, token, ['remove']);
    if (used || about === null) fail('link_invalid');
    const method = await passkeys.find(trx, account, about);
    if (method) return { account, uuid: about, name: method.name, created: method.created, since: method.created, email };
    const app = (await authenticators.find(trx, account, about)) ?? fail('link_invalid');
    return { account, uuid: about, name: null, ...app, email };
  };

  return {
    'POST /remove-sign-in/details': async ({ body, ip }) => {
      await limitOf(ip);
      const { name, created } = await db.transaction().execute((trx) => find(trx, body.token));
      return { method: name === null ? 'authenticator' : 'passkey', name, added: created.toISOString() };
    },

    'POST /remove-sign-in': async (call) => {
      const { body, ip } = call;
      await limitOf(ip);
      // Links never move between accounts, so the account is known before the transaction.
      const { account } = await db.transaction().execute((trx) => find(trx, body.token));
      return deps.weakening(weakeningCall({ ...call, account, session: null }), async (trx, weaken) => {
        const { uuid, name, since, email } = await find(trx, body.token);
        await links.use(trx, body.token);
        if (name === null) await authenticators.undo(trx, account);
        else await passkeys.remove(trx, account, uuid);
        // Who added it has read the codes that came with it, and made those that came later.
        await recoveryCodes.removeMadeSince(trx, account, since);
        await recoveryCodes.removeUnneeded(trx, account);
        await weaken({ kind: 'sign_in_removed', what: name === null ? appInWords : passkeyInWords(name) });
        // The same happens after a reset, and in its order: the thief may have requested a change to their own address.
        await store.setPendingEmail(trx, account, null);
        // After the removal, so that a login by what was removed has either failed or is ended.
        await deps.sessions.endAll(trx, account);
        await links.drop(trx, account, ['change']);
        const person = await store.byUuid(account, trx);
        // A link that went to a former address gives no password: its reader takes the address back first.
        const password_mail = person.email === email;
        if (password_mail) await deps.mails.resetLater(trx, person.email);
        return { password_mail };
      });
    },
  };
}
