import { type CallConsent, callConsentEndpoints } from '@porchlight/contract/calls.ts';
import { serverLimits } from '@porchlight/contract/server-limits.ts';
import { day } from '@porchlight/contract/time.ts';
import type { FastifyInstance } from 'fastify';
import type { Trx } from '../../db/open.ts';
import { bind } from '../../http/bind.ts';
import { weakeningCall } from '../../http/weakening-call.ts';
import type { Kernel } from '../../kernel.ts';
import { fail } from '../../lib/errors.ts';
import type { PlaceCall } from '../../notifications/calls/call-script.ts';
import type { DeviceRows, OptOutLookup } from '../../ports.ts';
import type { Sealer } from '../../secrets/seal.ts';
import { type Countries, isInCountries, phoneInWords } from '../../texts/phone.ts';
import { type ConsentFacts, isCalling, userOf } from './rules.ts';
import { type CallConsentStore, stateReader } from './store.ts';

export interface CallConsentDeps extends Pick<Kernel, 'db' | 'clock' | 'gates' | 'limit' | 'weakening'> {
  sealer: Pick<Sealer, 'mac'>;
  store: CallConsentStore;
  /** Whether this server makes calls. */
  calls: boolean;
  countries: Countries;
  optedOutOf: OptOutLookup;
  lockDevice: DeviceRows['lockDevice'];
  placeCall: PlaceCall;
}

export function callConsentRoutes(app: FastifyInstance, deps: CallConsentDeps): void {
  const { db, clock, store, limit, calls } = deps;
  const stateOf = stateReader(deps.optedOutOf);

  const factsOf = async (account: string, device: string, trx?: Trx) => (await store.facts(account, device, trx)) ?? fail('not_found');

  const answerOf = async (facts: ConsentFacts): Promise<CallConsent> => {
    const { phone_number } = userOf(facts);
    return {
      calls,
      state: await stateOf(facts),
      calling: isCalling(facts, clock.now()),
      phone_number: phone_number && phoneInWords(phone_number),
    };
  };

  /** Nobody who agreed, or whose phone is ringing, is called. Returns the number to call; free checks come first. */
  const numberToCall = async (facts: ConsentFacts, trx?: Trx): Promise<string | null> => {
    const { phone_number } = userOf(facts);
    if (phone_number === null) fail('phone_missing');
    const state = await stateOf(facts, trx);
    if (state === 'refused') fail('calls_refused');
    if (state === 'agreed' || isCalling(facts, clock.now())) return null;
    if (!isInCountries(deps.countries, phone_number)) fail('phone_country', { fields: [{ field: 'PhoneNumber', tag: 'country' }] });
    return phone_number;
  };

  bind(app, deps.gates, callConsentEndpoints, {
    'GET /web/devices/:id/call-consent': async ({ account, params }) => answerOf(await factsOf(account, params.id)),

    'POST /web/devices/:id/call-consent': async ({ account, params }) => {
      const device = params.id;
      const facts = await factsOf(account, device);
      if (!calls) fail('calls_off');
      const phone_number = await numberToCall(facts);
      if (phone_number === null) return answerOf(facts);
      await limit('consent-calls', account, { max: serverLimits.consent_calls_per_account, per: day }, 'calls_spent');
      const number = deps.sealer.mac('consent-number', phone_number);
      await limit('consent-number', number, { max: serverLimits.consent_calls_per_number, per: day }, 'calls_spent');
      await db.transaction().execute(async (trx) => {
        // Two pages cause one call.
        await deps.lockDevice(trx, device);
        const locked = await factsOf(account, device, trx);
        // Another page, or another number, was faster.
        if ((await numberToCall(locked, trx)) !== phone_number) return;
        await store.ask(trx, device, phone_number);
        const { name } = userOf(locked);
        await deps.placeCall(trx, { account, purpose: 'consent', incident: null, device, guardian: null, name, phone_number });
      });
      return answerOf(await factsOf(account, device));
    },

    'DELETE /web/devices/:id/call-consent': async (call) => {
      const { account, params } = call;
      await deps.weakening(weakeningCall(call), async (trx, weaken) => {
        const { uuid } = (await factsOf(account, params.id, trx)).device;
        await deps.lockDevice(trx, uuid);
        const facts = await factsOf(account, uuid, trx);
        const state = await stateOf(facts, trx);
        const { name, is_holder } = userOf(facts);
        if (state === 'agreed') await weaken({ kind: 'call_consent_off', device: facts.device, what: is_holder ? '' : name });
        // A refusal stays, so that nobody is asked again.
        if (state !== 'refused') await store.withdraw(trx, uuid);
      });
      return answerOf(await factsOf(account, params.id));
    },
  });
}
