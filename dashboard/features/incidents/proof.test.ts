import { expect, test } from 'vitest';
import { FormError } from '../../lib/error-text.ts';
import { HttpError } from '../../lib/http.ts';
import { atField, firstStep, nextStep } from './proof.ts';

const refused = (code: string) => new HttpError(403, { code, error: `The server’s sentence about ${code}` });

test.each([
  ['yes', 'confirm'],
  ['code', 'code'],
  ['password', 'password'],
] as const)('a reader who may answer with “%s” sees the step “%s” first', (may, step) => {
  expect(firstStep({ may })).toBe(step);
});

test.each([
  ['code_needed', true, 'code'],
  ['password_needed', true, 'password'],
  ['password_needed', false, null],
  ['may_not_answer', true, null],
] as const)('after the error %s a reader with a password (%s) sees the step %s', (code, canReauthenticate, step) => {
  expect(nextStep(refused(code), canReauthenticate)).toBe(step);
});

test('an error that is not from the server asks for no other step', () => {
  expect(nextStep(new Error('code_needed'), true)).toBeNull();
});

test('a wrong password is shown beside its field', () => {
  const error = atField(refused('password_wrong'));
  expect(error).toBeInstanceOf(FormError);
  expect((error as FormError).fields).toEqual({ password: 'The server’s sentence about password_wrong' });
});

test('any other error is shown above the form', () => {
  const error = refused('may_not_answer');
  expect(atField(error)).toBe(error);
});
