import { expect, test } from 'vitest';
import { FormError } from '../lib/error-text.ts';
import { HttpError } from '../lib/http.ts';
import { checkedCode } from './six-digits.tsx';

const refused = (code: string) => new HttpError(400, { error: `The server’s sentence about ${code}`, code });
const refusedBy = (error: unknown) => checkedCode('123456', () => Promise.reject(error)).catch((err: unknown) => err);

test('a code of five digits is not sent, and the field says what is missing', async () => {
  let used = 0;
  const use = async () => void used++;
  const error = await checkedCode('12345', use).catch((err: unknown) => err);
  expect(error).toBeInstanceOf(FormError);
  expect((error as FormError).fields).toEqual({ code: 'The code has 6 digits. Enter all of them.' });
  expect(used).toBe(0);
  await checkedCode('123456', use);
  expect(used).toBe(1);
});

test.each(['phone_code_wrong', 'phone_code_expired', 'sign_in_code_wrong'])('the error %s is shown beside the code', async (code) => {
  const error = await refusedBy(refused(code));
  expect(error).toBeInstanceOf(FormError);
  expect((error as FormError).fields).toEqual({ code: `The server’s sentence about ${code}` });
});

test('any other error of the server is shown above the form', async () => {
  const error = refused('may_not_answer');
  expect(await refusedBy(error)).toBe(error);
});
