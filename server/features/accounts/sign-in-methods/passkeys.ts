import type { Db } from '../../../db/open.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Sealer } from '../../../secrets/seal.ts';
import { passkeyAnswers } from './passkey-answers.ts';
import { passkeyQuestions } from './passkey-questions.ts';
import { passkeyRegistration } from './passkey-registration.ts';
import { passkeySite } from './passkey-site.ts';
import { passkeyStore } from './passkey-store.ts';

export type Passkeys = ReturnType<typeof passkeyParts>;

/** `public_url`: where the dashboard is, for which alone the passkeys are. */
export function passkeyParts({ db, clock, sealer, public_url }: { db: Db; clock: Clock; sealer: Pick<Sealer, 'mac'>; public_url: string }) {
  const site = passkeySite(public_url);
  const store = passkeyStore(db, clock);
  const questions = passkeyQuestions(clock, sealer);
  return { store, questions, answers: passkeyAnswers({ db, store, questions, site }), registration: passkeyRegistration(questions, site) };
}
