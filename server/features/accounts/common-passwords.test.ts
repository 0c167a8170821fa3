import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { isCommonPassword } from './common-passwords.ts';

const ann = ['Ann Example-Smith', 'ann.smith@mailhost.example'];

test.each([
  '123456789012',
  'password1234',
  'passwordpassword',
  'aaaaaaaaaaaa',
  'qwertyuiop123',
  '            ',
  'Password123!',
  'P@ssw0rd1234',
  'pa55w0rd2026!',
  'qwerty123456',
  'qwertyqwerty',
  '1q2w3e4r5t6y',
  '1qaz2wsx3edc',
  'zaq12wsxcde3',
  'asdfghjkl;123',
  'azertyuiop12',
  'abcdefghijkl',
  '987654321098',
  'abc123abc123',
  'abcabcabcabc',
  'iloveyou1234',
  'Liverpool2025!',
  'michaeljordan23',
  'Welcome12345',
  'administrator',
  'letmeinletmein',
  '11111111111a',
  'qazwsxedcrfv',
  'lkjhgfdsa123',
  'Summer2026!!!',
  'princess 2019',
  'x\u3164\u115fk\u3164\u115fz\u3164\u115f\u3164',
])('[P13.1] %j is refused as a password for everyone', (password) => {
  expect(isCommonPassword(password)).toBe(true);
});

test.each(['annexample123', 'ExampleSmith1', 'ann.smith@mailhost', 'Smith-Smith-Smith', 'porchlight12', 'Porchlight Ann 1950'])(
  '[P13.1] the password %j is refused for the user Ann Example-Smith; unless it contains the product’s name, other users may have it',
  (password) => {
    expect(isCommonPassword(password, ann)).toBe(true);
    if (!/porchlight/i.test(password)) expect(isCommonPassword(password, ['Bob Brown', 'bob@host.invalid'])).toBe(false);
  },
);

test.each([
  'correct horse battery',
  'another good password',
  'tiger coffee summer',
  'grandma bakes on Tuesdays',
  'Xk4!vQ9#mLp2',
  '8xQ40x7719Q2',
  'lC32X63NBV80',
  'моя бабушка печёт',
  '我的奶奶星期二烤面包给我们吃',
  'blue kettle, loud neighbor',
  'zwölf Boxkämpfer jagen',
])('[P13.1] %j is accepted as a password', (password) => {
  expect(isCommonPassword(password, ann)).toBe(false);
});

test('random passwords from a password manager are always accepted', () => {
  for (let i = 0; i < 300; i++) expect(isCommonPassword(randomBytes(15).toString('base64'), ann)).toBe(false);
});

test('a thousand passwords of the maximum length are checked in less than 20 seconds of CPU time', () => {
  const start = process.cpuUsage().user;
  for (let i = 0; i < 1000; i++) isCommonPassword(['qwertyuiop1234567890', 'abcab', 'x!'][i % 3]?.repeat(100).slice(0, 200) ?? '', ann);
  expect((process.cpuUsage().user - start) / 1e6).toBeLessThan(20);
});
