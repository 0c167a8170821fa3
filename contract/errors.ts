/** P1.2, P1.3. 401 means only a missing, expired or revoked token, because every 401 logs the user out (spec 4.3). */
export const errors = {
  unauthorized: { status: 401, words: 'Your login has expired. Please login again.' },
  login_wrong: { status: 400, words: 'That email and password do not go together. Check both and try again.' },
  password_wrong: { status: 400, words: 'That is not your current password. Try again.' },
  second_step_needed: { status: 400, words: 'Your password is right. One more step shows that it’s you.' },
  sign_in_code_wrong: {
    status: 400,
    words: 'That is not the code. Use the newest one in your app, or a recovery code that you have not used yet.',
  },
  passkey_wrong: { status: 400, words: 'That passkey did not work. Use it once more, or another way.' },
  passkey_missing: { status: 409, words: 'You have no passkey yet. Enter your password.' },
  passkey_limit: { status: 409, words: 'You already have 10 passkeys, the most there can be. Remove one first.' },
  second_step_missing: { status: 409, words: 'Recovery codes go with a passkey or an authenticator app. Set up one of them first.' },
  setup_expired: { status: 410, words: 'This took too long. Start again, and scan the new code.' },
  phone_code_wrong: { status: 400, words: 'That is not the code we sent. Check the six digits and try again.' },
  signature_wrong: { status: 400, words: 'We could not tell who sent this, so nothing was done.' },
  email_unverified: { status: 403, words: 'Please confirm your email address first. We sent you an email with a button.' },
  not_subscribed: { status: 403, words: 'Please choose a plan first.' },
  forbidden: { status: 403, words: 'This page may be out of date. Reload it and try again.' },
  sender_unknown: { status: 403, words: 'We could not tell who sent this, so nothing was done.' },
  not_found: { status: 404, words: 'We could not find that. It may have been removed.' },
  code_unknown: { status: 404, words: 'We do not know that code. Check each letter and number and try again.' },
  promo_unknown: { status: 404, words: 'We do not know that offer. Check the address you were given.' },
  price_unknown: { status: 404, words: 'We do not sell this plan any more. Reload the page and choose again.' },
  email_taken: { status: 409, words: 'There is already an account with this email address. Log in, or choose a new password.' },
  device_limit: { status: 409, words: 'All the devices of your plan are in use. Remove one, or change your plan, to add another.' },
  device_installed: { status: 409, words: 'This device is already connected, so it needs no new code.' },
  already_allowed: { status: 409, words: 'This is already on the allow list of this device.' },
  exception_limit: { status: 409, words: 'The allow list of this device is full. Remove something first.' },
  policy_limit: { status: 409, words: 'You have as many protection profiles as there can be. Remove one first.' },
  policy_exists: { status: 409, words: 'You have a protection profile with this name already. Choose another name.' },
  subscription_open: { status: 409, words: 'You already have a subscription, so nothing was ordered. Change it with Manage Plan.' },
  no_subscription: { status: 409, words: 'There is no subscription to manage yet. Choose a plan first.' },
  external_plan: { status: 409, words: 'Your plan is managed by someone else. Ask support to change it.' },
  lifetime_plan: { status: 409, words: 'Your plan is for life, so there is nothing to order.' },
  guardian_limit: { status: 409, words: "You've reached the maximum number of guardians for your account." },
  guardians_off: { status: 403, words: 'This service works without guardians, so none can be invited. We tell you alone.' },
  guardian_exists: { status: 409, words: 'A guardian with this email address is already on your list.' },
  guardian_inactive: {
    status: 409,
    words: 'You are not a guardian here at the moment. Accept the invitation first, or ask for a new one.',
  },
  phone_country: {
    status: 422,
    words: 'We can’t text that country yet. Use a number from another country, or leave it empty: our emails still reach you.',
  },
  phone_codes_spent: { status: 429, words: 'You used all the codes for today. Enter the newest one we texted you, or try again tomorrow.' },
  code_wait: {
    status: 429,
    words: 'Many wrong codes are coming in right now, so we check slowly. Wait a moment, then enter your code again.',
  },
  login_guarded: {
    status: 429,
    words: 'Someone has been guessing this password. To get in from here, choose “Forgot your password?” and use the email we send you.',
  },
  password_common: {
    status: 422,
    words: 'That password is too easy to guess. Put three or four words together that nobody else would.',
  },
  codes_spent: { status: 429, words: 'That is as many codes as we show in ten minutes. Wait a little, then open another one.' },
  texts_spent: { status: 503, words: 'We can’t send more codes today. Please try again tomorrow. Our emails still reach you.' },
  calls_off: { status: 409, words: 'This service makes no phone calls.' },
  calls_refused: { status: 409, words: 'This number asked us not to call or text. They can text START to change that.' },
  calls_spent: { status: 429, words: 'We called this number often enough for today. Try again tomorrow.' },
  push_off: { status: 409, words: 'This service sends no notifications to browsers. Our emails still reach you.' },
  push_service_unknown: { status: 422, words: 'We can’t send notifications to this browser. Our emails still reach you.' },
  phone_missing: { status: 409, words: 'There is no phone number to send a code to. Enter one and save it first.' },
  site_needed: {
    status: 422,
    words: 'Too much on a computer depends on this website, so it can’t be closed. Type the bank’s own address, such as mybank.com.',
  },
  site_shared: {
    status: 422,
    words:
      'Different people have their websites under this name, so it can’t be allowed as a whole. Type the website’s own address, such as mybank.com.',
  },
  alerts_all_off: { status: 409, words: 'Keep at least one on, emails or texts, so that we can reach you.' },
  code_used: { status: 410, words: 'This code has already been used. Ask for a new one on the dashboard.' },
  code_expired: { status: 410, words: 'This code has expired. Ask for a new one on the dashboard.' },
  promo_expired: { status: 410, words: 'This offer has ended.' },
  phone_code_expired: { status: 410, words: 'This code no longer works. Ask for a new one.' },
  link_invalid: { status: 410, words: 'This link no longer works. Ask for a new email and use the newest one.' },
  link_expired: { status: 410, words: 'This link has expired. Ask for a new email.' },
  reset_invalid: { status: 410, words: 'The password reset token is invalid.' },
  reset_expired: { status: 410, words: 'The password reset token has expired.' },
  guardian_link_dead: {
    status: 410,
    words: 'This link no longer works. Use the one in the newest email from us, or ask the person you look out for to send it again.',
  },
  drill_not_now: {
    status: 409,
    words:
      'Not now: a practice could be taken for the real thing. You can send one a day after the last stop, once nothing is open or waits for an answer.',
  },
  held: { status: 409, words: 'Your family is asked first. Nothing has changed yet.' },
  hold_limit: { status: 409, words: 'Three changes already wait for an answer. Wait for that before you make another one.' },
  request_closed: { status: 409, words: 'This has been answered already, or nobody waits for it any more.' },
  appointment_running: { status: 409, words: 'Someone is helping on this computer already. End that first.' },
  appointment_limit: {
    status: 409,
    words:
      'Someone helped there twice today, or for two hours. Start the program there: it is stopped, and someone else in the family can say yes.',
  },
  appointment_stopped: { status: 409, words: 'Everything is stopped on this computer now, so nothing can be opened there.' },
  may_not_answer: { status: 403, words: 'You can’t answer this from here. Someone else must answer.' },
  code_needed: { status: 403, words: 'Enter the code we text you, to show that it’s you.' },
  password_needed: { status: 403, words: 'Enter your password once more, to show that it’s you.' },
  device_removed: { status: 410, words: 'This device was removed from its account.' },
  agent_outdated: {
    status: 409,
    words:
      'This program is older than its server. It updates within a day, and then goes on. If it does not, download Porchlight again from the dashboard.',
  },
  server_outdated: { status: 409, words: 'The server is older than this program. The operator of the server has to update it.' },
  body_too_large: { status: 413, words: 'That was too much at once. Send less.' },
  invalid_input: { status: 422, words: 'Please check what you entered.' },
  too_many: { status: 429, words: 'That was tried too often. Wait a little and try again.' },
  internal: { status: 500, words: 'Something went wrong on our side. Please try again in a moment.' },
  payments_down: { status: 503, words: 'The payment service does not answer. Nothing was charged. Please try again in a few minutes.' },
  unavailable: { status: 503, words: 'We are busy right now. Please try again in a moment.' },
} as const satisfies Record<string, { status: number; words: string }>;

export type ErrorCode = keyof typeof errors;

/** `tag` is `required`, `min`, `max`, `email` … (spec 5.11); `field` is capitalised: `Email`, `PhoneNumber`. */
export interface FieldError {
  field: string;
  tag: string;
}

/** The body of every answer that is not a 2xx (P1.2). */
export interface ErrorBody {
  error: string;
  code: ErrorCode;
  fields?: FieldError[];
  /** The holder's first name, for an expired device code. */
  from_name?: string;
  /** Only with the code `held` (P10.1). */
  request?: string;
  until?: string;
  asked?: string[];
  because?: string;
  request_id: string;
}

export const commonErrors = [
  'invalid_input',
  'body_too_large',
  'too_many',
  'internal',
  'unavailable',
] as const satisfies readonly ErrorCode[];

export const errorsOfAccess = {
  public: [],
  account: ['unauthorized'],
  confirmed: ['unauthorized', 'email_unverified'],
  member: ['unauthorized', 'email_unverified', 'not_subscribed'],
  guardian: ['guardian_link_dead', 'forbidden'],
  device: ['unauthorized', 'device_removed', 'agent_outdated', 'server_outdated'],
  device_or_removed: ['unauthorized', 'device_removed', 'agent_outdated', 'server_outdated'],
} as const satisfies Record<string, readonly ErrorCode[]>;
