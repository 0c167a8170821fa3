import type { Trx } from '../../db/open.ts';
import type { Kernel } from '../../kernel.ts';
import type { CallPurposeRules } from '../../notifications/calls/call-script.ts';
import type { OptOutLookup } from '../../ports.ts';
import { firstNameForOthers } from '../../texts/formatting.ts';
import { consentCall } from './call-words.ts';
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
      return by === 'machine' ? consentCall.voicemail(asker) : consentCall.question(asker);
    },

    pressed: (call, key) =>
      db.transaction().execute(async (trx) => {
        const { phone_number } = call;
        if (key === '9') {
          await store.refuse(trx, call);
          await refuseAll(trx, phone_number);
          return consentCall.refused;
        }
        const isOptedOut = (await optedOutOf([phone_number], trx)).has(phone_number);
        const agreed = key === '1' && !isOptedOut && (await store.agree(trx, call));
        return agreed ? consentCall.agreed : consentCall.unchanged;
      }),

    // Without a key nothing was agreed; the page reads the state of the call.
    ended: async () => undefined,
  };
}
