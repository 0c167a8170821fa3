import { type Api, api } from '@porchlight/contract/all.ts';
import { expect, test } from 'vitest';

/**
 * Which calls weaken protection, and so pass the gate (`features/care/acts.ts`). `depends`: on what is sent, or on what there was before.
 * A new call must say which it is, or this fails; that each of them does as it says here is tested in `features/care/acts.test.ts`.
 */
const weakens: Record<keyof Api, 'yes' | 'depends' | 'no'> = {
  // Accounts: the password, the address, the number, the PIN.
  'POST /login/web': 'no',
  'POST /register': 'no',
  'POST /confirm-email': 'no',
  'POST /forgot-password': 'no',
  'POST /reset-password': 'yes',
  'POST /web/verify-email': 'no',
  'POST /web/logout': 'no',
  'GET /web/profile': 'no',
  'PATCH /web/profile': 'depends',
  'POST /confirm-email-change': 'depends',
  'POST /web/send-phone-code': 'no',
  'POST /web/verify-phonenumber': 'no',
  'GET /web/bypasspassword': 'yes',
  'POST /web/bypasspassword': 'yes',
  'GET /web/accounts/sessions': 'no',
  'DELETE /web/accounts/sessions/:uuid': 'no',
  // Plans: the free plan's protection stays when one ends, and the holder is told before (P6.3).
  'GET /web/profile/sub': 'no',
  'POST /web/profile/sub/portal': 'no',
  'POST /web/profile/sub/order': 'no',
  'GET /web/profile/sub/products': 'no',
  'GET /promo-code': 'no',
  'POST /stripe/webhook': 'no',
  // Profiles: another one protects nobody until a device has it; without one a device is strict.
  'GET /web/policies': 'no',
  'POST /web/policies': 'no',
  'PATCH /web/policies/:uuid': 'depends',
  'DELETE /web/policies/:uuid': 'no',
  // Devices.
  'GET /web/devices': 'no',
  'GET /web/devices/:id': 'no',
  'POST /web/devices/:uuid': 'depends',
  'DELETE /web/devices/:uuid': 'depends',
  'POST /web/create-device': 'no',
  'POST /web/devices/:uuid/resume': 'no',
  'POST /web/devices/:uuid/code': 'no',
  'POST /code': 'no',
  'POST /code/ask': 'no',
  'GET /web/devices/:id/v2/exceptions': 'no',
  'POST /web/devices/:id/v2/exceptions': 'yes',
  'DELETE /web/devices/:id/v2/exceptions': 'no',
  'GET /definitions/allowlistable.json': 'no',
  'GET /definitions/families.json': 'no',
  'GET /definitions/parts/:sha256': 'no',
  'GET /downloads': 'no',
  'POST /free-download': 'no',
  'GET /web/detections': 'no',
  'GET /web/detections/:id': 'no',
  // What is said of an alert changes what is shown, and nothing that is stopped.
  'POST /web/detections/:uuid/answer': 'no',
  'POST /web/detections/:uuid/wrong': 'no',
  // Texts and unsubscribing: of one's own telephone and mailbox; the holder hears of a guardian who cannot be reached any more.
  'POST /texts/inbound': 'no',
  'POST /texts/status': 'no',
  'GET /unsubscribe/:token': 'no',
  'POST /unsubscribe/:token': 'no',
  // Guardians: what they choose for themselves is theirs, and the holder sees it.
  'GET /web/guardians': 'no',
  'POST /web/create-guardian': 'yes',
  'DELETE /web/guardians/:uuid': 'depends',
  'POST /web/guardians/:uuid/resend': 'depends',
  'GET /web/guardians/:uuid/view': 'no',
  'GET /web/guardians/:uuid/looks': 'no',
  'POST /guardian-link': 'no',
  'POST /guardian/:id/session': 'no',
  'GET /guardian/:id': 'no',
  'GET /guardian/:id/sessions': 'no',
  'DELETE /guardian/:id/sessions/:uuid': 'no',
  'POST /guardian/:id/accept': 'no',
  'POST /guardian/:id/decline': 'no',
  'POST /guardian/:id/leave': 'no',
  'PATCH /guardian/:id': 'no',
  'POST /guardian/:id/send-phone-code': 'no',
  'POST /guardian/:id/verify-phone': 'no',
  'POST /guardian/:id/alerts/:uuid/seen': 'no',
  'POST /guardian/:id/alerts/:uuid/answer': 'no',
  // What the holder wants to hear.
  'GET /web/alert-settings': 'no',
  'PATCH /web/alert-settings': 'depends',
  'POST /web/fire-drill': 'no',
  'GET /web/fire-drill': 'no',
  'GET /web/acts': 'no',
  'GET /web/support': 'no',
  // Agents: a pause, and the end of one.
  'GET /agent/server': 'no',
  'GET /agent/free-plan': 'no',
  'POST /agent/enrol': 'no',
  'POST /agent/whose': 'no',
  'POST /agent/check-in': 'no',
  'POST /agent/goodbye': 'depends',
  'POST /agent/news': 'depends',
  'GET /agent/policy': 'no',
  'GET /agent/update': 'no',
  'GET /agent/definitions': 'no',
  'POST /agent/scan': 'no',
  'POST /agent/detections': 'no',
  'GET /agent/keys': 'no',
  'POST /agent/pin': 'no',
};

test('every call of the contract says whether it weakens protection', () => {
  expect(Object.keys(weakens).sort()).toEqual(Object.keys(api).sort());
});

test('what only reads weakens nothing, but for the PIN', () => {
  const reading = Object.entries(weakens).filter(([key, does]) => key.startsWith('GET ') && does !== 'no');
  expect(reading.map(([key]) => key)).toEqual(['GET /web/bypasspassword']);
});
