import { expect, test } from 'vitest';
import { Declined } from '../lib/error-text.ts';
import { passkeyError } from './passkey-errors.ts';

const named = (name: string) => Object.assign(new Error('The words of the browser.'), { name });

test.each(['NotAllowedError', 'AbortError'])('a browser dialog that ends with %s is a decision of the user, not a failure', (name) => {
  expect(passkeyError(named(name), 'answer')).toEqual(new Declined('No passkey was used. Try again, or use another way.'));
  expect(passkeyError(named(name), 'create')).toEqual(new Declined('No passkey was made, and nothing has changed.'));
  for (const step of ['answer', 'create'] as const) expect(passkeyError(named(name), step)).toBeInstanceOf(Declined);
});

test('a device that already has a passkey is not reported as unable to make any', () => {
  expect(passkeyError(named('InvalidStateError'), 'create')).toBeInstanceOf(Declined);
  expect(passkeyError(named('InvalidStateError'), 'create').message).toBe('This device already has a passkey for your account.');
  expect(passkeyError(named('NotSupportedError'), 'create')).not.toBeInstanceOf(Declined);
});

test.each([
  ['answer', 'This device could not use a passkey. Use another way.'],
  ['create', 'This device could not make a passkey. Try it on your phone, or use an authenticator app.'],
] as const)('any other error of the step “%s” is a failure that says what to do, with the browser’s error as its cause', (step, words) => {
  for (const cause of [named('SecurityError'), named('InvalidStateError'), 'no error at all']) {
    if (step === 'create' && cause instanceof Error && cause.name === 'InvalidStateError') continue;
    const error = passkeyError(cause, step);
    expect(error).not.toBeInstanceOf(Declined);
    expect(error.message).toBe(words);
    expect(error.cause).toBe(cause);
  }
});
