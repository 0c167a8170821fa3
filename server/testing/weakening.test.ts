import { type Api, api } from '@porchlight/contract/all.ts';
import { expect, test } from 'vitest';

/** The compiler prints this name beside the call that has no answer, so that its reader knows what to write. */
type YesDependsOrNoForEachCall = { [call in keyof Api]: 'yes' | 'depends' | 'no' };

/** Calls that weaken protection pass the weakening gate. `depends`: on the body, or on the state before. */
const weakens: YesDependsOrNoForEachCall = {
  // Calls about accounts: the password, the address, the number, the PIN.
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
  'POST /web/reauthenticate': 'no',
  'GET /web/bypasspassword': 'yes',
  'POST /web/bypasspassword': 'yes',
  'GET /web/accounts/sessions': 'no',
  'DELETE /web/accounts/sessions/:uuid': 'no',
  'POST /web/logout-everywhere': 'depends',
  // What opens the account passes the gate to be logged, and never waits (P10.1).
  'GET /web/sign-in-methods': 'no',
  'POST /web/passkeys/options': 'no',
  'POST /web/passkeys': 'depends',
  'POST /web/passkeys/:uuid/remove': 'depends',
  'POST /web/passkey-question': 'no',
  'POST /web/authenticator/begin': 'no',
  'POST /web/authenticator': 'depends',
  'POST /web/authenticator/remove': 'depends',
  'POST /web/recovery-codes': 'depends',
  'POST /remove-sign-in/details': 'no',
  'POST /remove-sign-in': 'yes',
  'POST /login/passkey/options': 'no',
  'POST /login/passkey': 'no',
  'POST /web/account/download': 'depends',
  'GET /web/account/deletion': 'no',
  'POST /web/account/deletion': 'yes',
  'POST /web/account/deletion/stop': 'depends',
  'POST /keep-account': 'no',
  // Without a plan the free plan's protection remains, and the holder is notified before (P6.3).
  'GET /web/profile/sub': 'no',
  'POST /web/profile/sub/portal': 'no',
  'POST /web/profile/sub/order': 'no',
  'GET /web/profile/sub/products': 'no',
  'GET /promo-code': 'no',
  'POST /stripe/webhook': 'no',
  // Calls about profiles: a new profile has no effect until used; a device without a profile is strict.
  'GET /web/policies': 'no',
  'POST /web/policies': 'no',
  'PATCH /web/policies/:uuid': 'depends',
  'DELETE /web/policies/:uuid': 'no',
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
  'POST /web/detections/:uuid/answer': 'no',
  'POST /web/detections/:uuid/wrong': 'no',
  // Calls about one's own phone and mailbox; the holder is notified of an unreachable guardian.
  'POST /calls/words': 'no',
  'POST /calls/key': 'no',
  'POST /calls/status': 'no',
  'POST /texts/inbound': 'no',
  'POST /texts/status': 'no',
  'GET /unsubscribe/:token': 'no',
  'POST /unsubscribe/:token': 'no',
  // Calls about guardians, whose own choices the holder sees.
  'GET /web/guardians': 'no',
  'POST /web/create-guardian': 'yes',
  'PUT /web/guardians/order': 'depends',
  'PATCH /web/guardians/:uuid': 'depends',
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
  'POST /guardian/:id/devices/:uuid': 'no',
  'GET /web/alert-settings': 'no',
  'PATCH /web/alert-settings': 'depends',
  // A push subscription comes beside emails and texts, which reach the same person also after it has ended in one browser.
  'POST /web/push': 'no',
  'POST /web/push/end': 'no',
  'POST /guardian/:id/push': 'no',
  'POST /guardian/:id/push/end': 'no',
  'GET /web/unlisted-protection': 'no',
  'PATCH /web/unlisted-protection': 'depends',
  'GET /web/browsing-protection': 'no',
  'PATCH /web/browsing-protection': 'depends',
  // Calls about the consent to be called: asking for it weakens nothing.
  'GET /web/devices/:id/call-consent': 'no',
  'POST /web/devices/:id/call-consent': 'no',
  'DELETE /web/devices/:id/call-consent': 'depends',
  'POST /web/fire-drill': 'no',
  'GET /web/fire-drill': 'no',
  'GET /web/acts': 'no',
  'GET /web/support': 'no',
  // Calls about incidents. An answer under P10.2 lets something through only for those who may.
  'GET /web/incidents': 'no',
  'GET /web/incidents/:uuid': 'no',
  'POST /web/incidents/:uuid': 'no',
  'POST /web/incidents/:uuid/steps': 'no',
  'POST /web/incidents/:uuid/how': 'no',
  'GET /web/requests': 'no',
  'GET /web/requests/:uuid': 'no',
  'POST /web/requests/:uuid': 'no',
  'POST /web/answer-code': 'no',
  'GET /web/holding': 'no',
  'PATCH /web/holding': 'depends',
  'POST /guardian/:id/requests/:uuid': 'no',
  'GET /guardian/:id/incidents/:uuid': 'no',
  'POST /guardian/:id/incidents/:uuid': 'no',
  'POST /guardian/:id/incidents/:uuid/steps': 'no',
  'POST /guardian/:id/incidents/:uuid/how': 'no',
  'POST /guardian/:id/answer-code': 'no',
  // Calls of agents: a pause, and its end.
  'GET /agent/server': 'no',
  'GET /agent/free-plan': 'no',
  'POST /agent/enrol': 'no',
  'POST /agent/whose': 'no',
  'POST /agent/check-in': 'no',
  'POST /agent/changes': 'no',
  'POST /agent/goodbye': 'depends',
  'POST /agent/events': 'depends',
  'GET /agent/policy': 'no',
  'GET /agent/update': 'no',
  'GET /agent/definitions': 'no',
  'POST /agent/scan': 'no',
  'POST /agent/detections': 'no',
  'GET /agent/keys': 'no',
  'POST /agent/pin': 'no',
  'GET /agent/code-secret': 'no',
  'GET /guardian/:id/emergency': 'no',
  'POST /guardian/:id/stop': 'no',
  'GET /web/emergency': 'no',
  'POST /web/help': 'no',
  'POST /guardian/:id/codes': 'yes',
  'GET /web/appointments': 'no',
  'GET /web/appointments/:device': 'no',
  'POST /web/appointments': 'yes',
  'POST /web/appointments/:uuid/end': 'no',
  'GET /guardian/:id/appointments': 'no',
  'GET /guardian/:id/appointments/:device': 'no',
  'POST /guardian/:id/appointments': 'yes',
  'POST /guardian/:id/appointments/:uuid/end': 'no',
};

/** The summary of a test run shows only the message, and cuts lists. */
const expectNone = (problems: string[]) => expect(problems, problems.join('\n')).toEqual([]);

test('for every call of the contract, this file lists whether it weakens protection', () => {
  const unanswered = Object.keys(api).filter((key) => !(key in weakens));
  const gone = Object.keys(weakens).filter((key) => !(key in api));
  expectNone([
    ...unanswered.map((key) => `Write into the table: '${key}': 'no', or 'yes' or 'depends' if it weakens protection.`),
    ...gone.map((key) => `Remove '${key}' from the table: the contract has no such call.`),
  ]);
});

test('no GET call weakens protection, except the call that shows the PIN', () => {
  const { 'GET /web/bypasspassword': showsPin, ...others } = weakens;
  expect(showsPin).toBe('yes');
  const wrong = Object.entries(others).filter(([key, effect]) => key.startsWith('GET ') && effect !== 'no');
  expectNone(wrong.map(([key, effect]) => `'${key}' is '${effect}' in the table: a call that weakens protection must be a POST.`));
});

/** Calls that weaken protection and never wait for a yes (P10.1). */
const neverWait: (keyof Api)[] = [
  // A new password locks a thief out, and the link went to the holder's mailbox.
  'POST /reset-password',
  // The same is true of what accompanies a password, and of what only logs out or keeps the account.
  'POST /web/passkeys',
  'POST /web/passkeys/:uuid/remove',
  'POST /web/authenticator',
  'POST /web/authenticator/remove',
  'POST /web/recovery-codes',
  'POST /remove-sign-in',
  'POST /web/logout-everywhere',
  'POST /web/account/deletion/stop',
  // It changes nothing.
  'POST /web/account/download',
  // Agents report what has happened already: a pause, wrong PINs, an uninstallation.
  'POST /agent/goodbye',
  'POST /agent/events',
  // A guardian gives it, and only who may answer (P10.2).
  'POST /guardian/:id/codes',
  // So is an appointment, and what would wait is refused (P15.1).
  'POST /guardian/:id/appointments',
];

test('[P10.1] every call that weakens protection can wait for a yes, except new passwords, reports of agents, and codes and appointments of guardians; no other call can', () => {
  expectNone(
    Object.entries(weakens).flatMap(([key, effect]) => {
      const call = key as keyof Api;
      const errors: readonly string[] = api[call]?.errors ?? [];
      const [canWait, isExcepted] = [errors.includes('held'), neverWait.includes(call)];
      if (effect === 'no' && (canWait || isExcepted))
        return [`'${key}' can wait or is in neverWait, so the table must say 'yes' or 'depends'.`];
      if (canWait && isExcepted) return [`'${key}' can wait: remove it from neverWait, or 'held' from its errors in the contract.`];
      if (effect !== 'no' && !canWait && !isExcepted)
        return [
          `'${key}' weakens protection: add 'held' and 'hold_limit' to its errors in the contract, or the call to neverWait and why.`,
        ];
      // What can wait can also be refused because three wait already.
      return canWait === errors.includes('hold_limit') ? [] : [`'${key}' needs both 'held' and 'hold_limit' in its errors, or neither.`];
    }),
  );
});
