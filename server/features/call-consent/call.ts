import { brand } from '@porchlight/contract/brand.ts';
import type { Trx } from '../../db/open.ts';
import type { Kernel } from '../../kernel.ts';
import type { CallPurposeRules, CallScript } from '../../notifications/calls/call-script.ts';
import type { OptOutLookup } from '../../ports.ts';
import { firstNameForOthers } from '../../texts/formatting.ts';
import { userOf } from './rules.ts';
import type { CallConsentStore } from './store.ts';

export interface ConsentCallDeps extends Pick<Kernel, 'db' | 'nameOf'> {
  store: Pick<CallConsentStore, 'facts' | 'agree' | 'refuse'>;
  optedOutOf: OptOutLookup;
  /** Ends all our calls and texts to this number. */
  refuseAll(trx: Trx, phone_number: string): Promise<unknown>;
}

/** The call in which the user of a computer agrees to be called after a stop (P11.1). */
export function consentCalls({ db, store, nameOf, optedOutOf, refuseAll }: ConsentCallDeps): CallPurposeRules {
  return {
    async script({ account, device }, by) {
      const facts = device ? await store.facts(account, device) : null;
      const asker = facts && userOf(facts).is_holder ? null : firstNameForOthers(await nameOf(account));
      return by === 'machine' ? voicemail(asker) : question(asker);
    },

    pressed: (call, key) =>
      db.transaction().execute(async (trx) => {
        const { phone_number } = call;
        if (key === '9') {
          await store.refuse(trx, call);
          await refuseAll(trx, phone_number);
          return spoken('We will never call or text this number again.', 'We are sorry that we disturbed you.', 'Goodbye.');
        }
        const isOptedOut = (await optedOutOf([phone_number], trx)).has(phone_number);
        const agreed = key === '1' && !isOptedOut && (await store.agree(trx, call));
        return agreed
          ? spoken(
              'Thank you.',
              'We call this number only if we stop a scammer on your computer and nobody answers us.',
              `${onlyThis} Goodbye.`,
            )
          : spoken('Nothing has changed.', 'Goodbye.');
      }),

    // Without a key nothing was agreed; the page reads the state of the call.
    ended: async () => undefined,
  };
}

const onlyThis = 'We never ask for money, passwords or codes.';
const spoken = (...say: string[]): CallScript => ({ say, keys: false });

/** `asker`: the first name of who asked for the call; null: the listener. */
const opening = (asker: string | null) =>
  asker === null
    ? [`Hello. This is ${brand.name}.`, 'You asked us to call you on this number.']
    : [`Hello. This is ${brand.name}.`, `${asker} asked us to call you.`];

const question = (asker: string | null): CallScript => ({
  say: [
    ...opening(asker),
    'If we stop a scammer on your computer and nobody answers us, may we call you here?',
    'To say yes, press 1.',
    'If you never want a call from us, press 9.',
    onlyThis,
  ],
  keys: true,
});

const voicemail = (asker: string | null): CallScript =>
  spoken(
    ...opening(asker),
    'We wanted to ask: if we stop a scammer on your computer and nobody answers us, may we call you here?',
    'Nothing has changed, and there is nothing to do.',
    'Goodbye.',
  );
