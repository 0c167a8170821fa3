import { randomUUID } from 'node:crypto';
import type { Api } from '@porchlight/contract/all.ts';
import { checkInBody, agentInfo as info } from './agent-info.ts';

const actions = { RemoteControl: 'alert', DeceptiveUtility: 'block', ScamWebsite: 'block' };
const mum = { name: 'Mum', phone_number: '+12025550199', is_holder: false };

const appointment = { device: '11111111-1111-4111-8111-111111111111', identifier: 'teamviewer', minutes: 15, money_pages: false };

/** The address of no browser: the simulator of the push services knows no such endpoint. The key is the base point of P-256. */
const subscription = {
  endpoint: 'https://push-simulator.invalid/abc',
  keys: {
    p256dh: 'BGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU',
    auth: 'AAECAwQFBgcICQoLDA0ODw',
  },
};

/** Well-formed, of a passkey that nobody has. */
const passkeyAnswer = {
  ...{ id: 'AAAA', rawId: 'AAAA', type: 'public-key' },
  response: { clientDataJSON: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA', userHandle: null },
};
const newPasskey = { id: 'AAAA', rawId: 'AAAA', type: 'public-key', response: { clientDataJSON: 'AAAA', attestationObject: 'AAAA' } };

/** A valid body for each call: a refusal comes from the access check. */
export const validBodies: Partial<Record<keyof Api, object>> = {
  'POST /login/web': { email: 'nobody@example.org', password: 'wrong' },
  'POST /register': { name: 'X', email: 'not an address', password: 'x' },
  'POST /confirm-email': { token: 'x' },
  'POST /confirm-email-change': { token: 'x' },
  'POST /forgot-password': { email: 'nobody@example.org' },
  'POST /reset-password': { token: 'x', password: 'a long enough password' },
  'POST /web/passkeys/options': { current_password: 'correct horse battery' },
  'POST /web/passkeys': { name: 'My key', passkey: newPasskey },
  'POST /web/passkeys/:uuid/remove': { current_password: 'correct horse battery' },
  'POST /login/passkey': { passkey: passkeyAnswer },
  'POST /web/account/download': { current_password: 'correct horse battery', format: 'json' },
  'POST /web/account/deletion': { current_password: 'correct horse battery' },
  'POST /keep-account': { token: 'x' },
  'POST /remove-sign-in/details': { token: 'x' },
  'POST /remove-sign-in': { token: 'x' },
  'POST /code': { code: 'NO-SUCH-CODE' },
  'POST /code/ask': { code: 'NO-SUCH-CODE' },
  'POST /free-download': { email: 'nobody@example.org' },
  'POST /guardian/:id/session': { key: 'x' },
  'POST /guardian-link': { email: 'nobody@example.org' },
  'POST /guardian/:id/leave': {},
  'PATCH /guardian/:id': { sms: false },
  'POST /guardian/:id/verify-phone': { code: '123456' },
  'POST /agent/whose': { code: 'ABCD-EFGH' },
  'POST /agent/enrol': { code: 'ABCD-EFGH', info, enrol_id: randomUUID() },
  'POST /web/devices/:uuid': { name: 'Mine now', policy: 'strict', person: mum },
  'POST /web/create-device': { name: 'X', policy: null, person: mum },
  'POST /web/devices/:id/v2/exceptions': { type: 'definition', identifier: 'anydesk', lasts: null },
  'DELETE /web/devices/:id/v2/exceptions': { id: '11111111-1111-4111-8111-111111111111' },
  'POST /web/policies': { name: 'Grandson helps', actions },
  'PATCH /web/policies/:uuid': { name: 'Grandson helps', actions },
  'POST /web/profile/sub/order': { price: 'price_family_yearly', promo: null },
  'POST /web/create-guardian': { name: 'X', email: 'x@example.org' },
  'PATCH /web/profile': { name: 'X' },
  'POST /web/verify-phonenumber': { code: '123456' },
  'PATCH /web/alert-settings': { notify_after_days: 1 },
  'PATCH /web/unlisted-protection': { doors: false, money_sites: ['bank.example'] },
  'PATCH /web/browsing-protection': { browsers: false, resolver: 'quad9', notification_origins: ['https://mail.example'] },
  'POST /web/push': subscription,
  'POST /web/push/end': { endpoint: subscription.endpoint },
  'POST /guardian/:id/push': subscription,
  'POST /guardian/:id/push/end': { endpoint: subscription.endpoint },
  'POST /web/detections/:uuid/answer': { answer: 'mine' },
  'POST /guardian/:id/alerts/:uuid/answer': { answer: 'sorted' },
  'POST /web/reauthenticate': { password: 'correct horse battery' },
  'POST /web/authenticator/begin': { current_password: 'correct horse battery' },
  'POST /web/authenticator': { setup: 'x', code: '123456' },
  'POST /web/authenticator/remove': { current_password: 'correct horse battery' },
  'POST /web/recovery-codes': { current_password: 'correct horse battery' },
  'POST /web/incidents/:uuid': { answer: 'on_it' },
  'POST /web/incidents/:uuid/steps': { step: 'call_bank', done: true },
  'POST /web/incidents/:uuid/how': { how: 'fine' },
  'POST /web/requests/:uuid': { answer: 'no' },
  'PATCH /web/holding': { ask_first: true },
  'POST /guardian/:id/requests/:uuid': { answer: 'no' },
  'POST /guardian/:id/devices/:uuid': { known: false },
  'POST /guardian/:id/incidents/:uuid': { answer: 'on_it' },
  'POST /guardian/:id/incidents/:uuid/steps': { step: 'call_bank', done: true },
  'POST /guardian/:id/incidents/:uuid/how': { how: 'fine' },
  'PUT /web/guardians/order': { order: [] },
  'PATCH /web/guardians/:uuid': { may_isolate: true },
  'POST /guardian/:id/stop': {},
  'POST /web/help': { device: '11111111-1111-4111-8111-111111111111' },
  'POST /web/appointments': appointment,
  'POST /guardian/:id/appointments': appointment,
  'POST /guardian/:id/codes': { device: '11111111-1111-4111-8111-111111111111', purpose: 'pause' },
  'POST /agent/pin': { pin: '000000' },
  'POST /agent/goodbye': { reason: 'resumed' },
  'POST /agent/events': {
    events: [{ uuid: '22222222-2222-4222-8222-222222222222', time: '2026-11-21T14:00:00Z', reported: { kind: 'asked', name: 'AnyDesk' } }],
  },
  'POST /agent/changes': { known: 0, known_epoch: 1, known_definitions: 0, protecting: true, wait: 0 },
  'POST /agent/check-in': { ...checkInBody, asks: ['44444444-4444-4444-8444-444444444444'] },
  'POST /agent/scan': {
    uuid: '33333333-3333-4333-8333-333333333333',
    time: '2026-11-21T14:00:00Z',
    items: [
      {
        ...{ kind: 'downloads', identifier: 'anydesk', name: 'AnyDesk', category: 'RemoteControl', certainty: 'certain' },
        ...{ details: 'C:\\AnyDesk.exe', did: 'put_away', blocked: true },
      },
    ],
  },
  'POST /agent/detections': { detections: [{}] },
};
