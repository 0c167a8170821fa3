import type { accountEndpoints } from '@porchlight/contract/accounts.ts';
import type { ThirdPartySupport } from '@porchlight/contract/support.ts';
import { hour } from '@porchlight/contract/time.ts';
import type { Handlers } from '../../http/bind.ts';
import { weakeningCall } from '../../http/weakening-call.ts';
import type { Kernel, Settings } from '../../kernel.ts';
import type { NoteRename, ProveHolder } from '../../ports.ts';
import type { Passwords } from '../../secrets/passwords.ts';
import { changedPhone } from '../../texts/changed-phone.ts';
import type { AccountEmails } from './account-emails.ts';
import { refuseCommon } from './common-passwords.ts';
import { passwordChangedEmail } from './emails.ts';
import type { LinkStore } from './links.ts';
import type { PhoneStore } from './phone-store.ts';
import type { SessionStore } from './sessions.ts';
import type { AccountStore } from './store.ts';

export interface ProfileDeps extends Pick<Kernel, 'limit' | 'weakening' | 'events'>, Pick<Settings, 'texts_from' | 'sms' | 'countries'> {
  store: AccountStore;
  links: LinkStore;
  phones: PhoneStore;
  sessions: SessionStore;
  passwords: Passwords;
  proveHolder: ProveHolder;
  mails: AccountEmails;
  noteRename: NoteRename;
  supportOf(account: string): Promise<ThirdPartySupport | null>;
  /** Whether the newest notification to this address failed permanently (P11.4). */
  mailFails(account: string, email: string): Promise<boolean>;
}

type ProfileRoutes = Pick<Handlers<typeof accountEndpoints>, 'GET /web/profile' | 'PATCH /web/profile'>;

export function profileRoutes(deps: ProfileDeps): ProfileRoutes {
  const { store, links, phones, sessions, passwords, limit, mails } = deps;

  return {
    'GET /web/profile': async ({ account }) => {
      const { name, email, email_verified, pending_email, phone_number, phone_number_verified } = await store.byUuid(account);
      return {
        name,
        email,
        email_verified,
        email_fails: await deps.mailFails(account, email),
        pending_email,
        phone_number,
        phone_number_verified,
        phone_number_opted_out: phone_number !== null && (await phones.optedOut(phone_number)),
        phone_number_host: deps.texts_from,
        third_party_support: await deps.supportOf(account),
      };
    },

    'PATCH /web/profile': async (call) => {
      const { account, session, body, request } = call;
      const person = await store.byUuid(account);
      const email = changedEmail(body.email, person);
      const phone = deps.sms ? changedPhone(body.phone_number, person.phone_number, deps.countries) : undefined;
      const needsProof = email !== undefined || phone !== undefined || body.password !== undefined;
      // The server makes a call that was proven when it was asked for.
      if (needsProof && !request.ownCall) await deps.proveHolder(person, body);
      if (body.password !== undefined) {
        refuseCommon(body.password, person);
        if (body.name !== undefined || email !== undefined) refuseCommon(body.password, { name: body.name ?? '', email: email ?? '' });
      }
      if (email !== undefined) {
        await limit('email-change', account, { max: 5, per: hour });
        await limit('email-change-to', email, { max: 5, per: 24 * hour });
      }
      const password_hash = body.password === undefined ? undefined : await passwords.hash(body.password);
      await deps.weakening(weakeningCall(call), async (trx, weaken) => {
        if (body.name !== undefined) {
          await deps.noteRename(trx, 'holder', account, body.name);
          await store.setName(trx, account, body.name);
        }
        if (body.name !== undefined && body.name !== person.name) await deps.events.emit(trx, 'policy_changed', { account, device: null });
        if (phone !== undefined) {
          // Adding a first phone number does not weaken protection.
          if (person.phone_number) await weaken({ kind: 'phone_changed' });
          // The same lock order as when a code is entered, to avoid deadlocks.
          await phones.codes.drop(trx, account);
          await store.setPhone(trx, account, phone);
        }
        // An attacker who knew the old password may have requested another address. Saving only the current address cancels that
        // request. The form always sends the address, so together with other changes it cancels nothing.
        const onlyEmailSent = (body.name ?? person.name) === person.name && body.phone_number === undefined;
        const keepsCurrentEmail = onlyEmailSent && body.email?.toLowerCase() === person.email.toLowerCase();
        if (email !== undefined || password_hash !== undefined || keepsCurrentEmail) {
          await store.setPendingEmail(trx, account, email ?? null);
          await links.drop(trx, account, ['change']);
        }
        if (email !== undefined) await mails.changeLater(trx, account);
        if (password_hash !== undefined) {
          await weaken({ kind: 'password_changed' });
          await store.setPassword(trx, account, password_hash);
          await sessions.endOthers(trx, account, session);
          await links.drop(trx, account, ['reset']);
          await mails.send(trx, person.email, passwordChangedEmail(person.name, mails.url('/forgot-password')));
        }
      });
      return {};
    },
  };
}

function changedEmail(givenEmail: string | undefined, person: { email: string; pending_email: string | null }): string | undefined {
  const isUnchanged = [person.email, person.pending_email].some((email) => email?.toLowerCase() === givenEmail?.toLowerCase());
  return isUnchanged ? undefined : givenEmail;
}
