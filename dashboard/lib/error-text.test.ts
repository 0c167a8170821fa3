import { expect, test } from 'vitest';
import { errorMessage, errorText, fieldMessage, fieldMessages, genericError } from './error-text.ts';
import { HttpError } from './http.ts';

test.each<[string, unknown, string]>([
  ['[8.2] not an HTTP error: its string', 'Action Cancelled', 'Action Cancelled'],
  ['[8.2] an error of our own: its words', new Error('The two do not match'), 'The two do not match'],
  ['[8.3] no response', new HttpError(null), 'Failed to connect to API.'],
  ['[8.4] a string as body: that text', new HttpError(502, 'Bad gateway'), 'Bad gateway'],
  ['[8.5] an object with an error string: that text', new HttpError(409, { error: 'All in use.', code: 'device_limit' }), 'All in use.'],
  ['[8.6] otherwise the generic message', new HttpError(500, { message: 'x' }), genericError],
  ['[8.6] also with nothing at all', new HttpError(500), genericError],
])('the text of an error: %s', (_title, error, text) => {
  expect(errorText(error)).toBe(text);
});

test.each<[string, unknown, string]>([
  ['an error with words keeps them', new HttpError(409, { error: 'All in use.' }), 'All in use.'],
  ['an answer with an empty sentence', new HttpError(409, { error: '' }), 'An unknown error occurred'],
  ['an error of our own without words', new Error(), 'An unknown error occurred'],
  ['an empty string', '', 'An unknown error occurred'],
])('[8.7] the message of an error is never empty: %s', (_title, error, text) => {
  expect(errorMessage(error)).toBe(text);
});

test.each([
  ['[5.12] required', { field: 'Email', tag: 'required' }, 'The email is required'],
  ['[5.13] min', { field: 'Password', tag: 'min' }, 'The password does not have the minimum number of characters'],
  ['[5.14] other tags', { field: 'Email', tag: 'email' }, 'The field email failed validation: email'],
  ['[5.15] only the first letter is lower-cased', { field: 'PhoneNumber', tag: 'required' }, 'The phoneNumber is required'],
])('the message of a field error: %s', (_title, field, text) => {
  expect(fieldMessage(field)).toBe(text);
});

test('the server’s field errors are keyed by the names of the form’s fields', () => {
  const error = new HttpError(422, {
    fields: [
      { field: 'Email', tag: 'required' },
      { field: 'SignupCode', tag: 'max' },
    ],
  });
  expect(fieldMessages(error)).toEqual({ email: 'The email is required', signup_code: 'The field signupCode failed validation: max' });
  expect(fieldMessages(new Error('x'))).toEqual({});
});
