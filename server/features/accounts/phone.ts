import type { accountEndpoints } from '@porchlight/contract/accounts.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import type { Handlers } from '../../http/bind.ts';
import type { Kernel } from '../../kernel.ts';
import { type PhoneCodeDeps, phoneCodes, phoneCodeText } from '../../texts/phone-codes.ts';
import type { PhoneStore } from './phone-store.ts';
import type { AccountStore } from './store.ts';

type PhoneRoutes = Pick<Handlers<typeof accountEndpoints>, 'POST /web/send-phone-code' | 'POST /web/verify-phonenumber'>;

export interface PhoneDeps
  extends Pick<PhoneCodeDeps, 'countries' | 'budgets'>,
    Pick<Kernel, 'db' | 'clock' | 'sealer' | 'limit' | 'enqueue'> {
  store: AccountStore;
  phones: PhoneStore;
  sms: boolean;
}

export function phoneRoutes({ store, phones, enqueue, sms, ...deps }: PhoneDeps): PhoneRoutes {
  const codes = phoneCodes({
    ...deps,
    store: phones.codes,
    numberOf: async (account, trx) => ({ ...(await store.byUuid(account, trx)), ...(sms ? {} : { phone_number: null }) }),
    isConfirmed: async (account) => (await store.byUuid(account)).email_verified,
    dailyLimits: async (account) => [{ what: 'phone-codes', who: account, max: serverLimits.phone_codes_per_day }],
    purpose: 'phone-code',
    sendCode: (trx, key, { to, code, until }) => enqueue(trx, 'sms', key, { to, body: phoneCodeText(code), until }),
  });
  return {
    'POST /web/send-phone-code': async ({ account, ip }) => {
      await codes.send(account, ip);
      return {};
    },
    'POST /web/verify-phonenumber': async ({ account, body }) => {
      const useCode = await codes.check(account, body.code);
      await deps.db.transaction().execute(async (trx) => {
        await useCode(trx);
        await store.markPhoneVerified(trx, account);
      });
      return {};
    },
  };
}
