import { expect, test } from 'vitest';
import { isSignedByTwilio, twilioSignature } from './signature.ts';

const token = '0123456789abcdef0123456789abcdef';
const inbound = 'https://www.example.org/api/texts/inbound';

/** Signatures that Twilio's own library for Node (6.2.0) computes. */
const vectors: [string, string, [string, string][], string][] = [
  [
    'a text',
    inbound,
    [
      ['From', '+12025550143'],
      ['To', '+15005550006'],
      ['Body', 'STOP'],
      ['MessageSid', 'SM1'],
      ['AccountSid', 'AC1'],
    ],
    'qcLiOVVxWC8PZOkmAlt0Km+r9fw=',
  ],
  [
    'letters of all kinds, an empty field, names in both cases',
    inbound,
    [
      ['From', '+12025550143'],
      ['Body', 'Größe & ü = 100% 🙂 + plus'],
      ['NumMedia', '0'],
      ['ToCity', ''],
      ['a', '1'],
      ['B', '2'],
    ],
    'a9/GvD6IF/kvx16ifLDKoRmj48M=',
  ],
  [
    'an address with a query',
    'https://www.example.org/api/texts/status?job=7c9e6679-7425-40de-944b-e07fc1f90ae7',
    [
      ['MessageSid', 'SM1'],
      ['MessageStatus', 'delivered'],
      ['From', '+15005550006'],
    ],
    'MAh//UZ5JkdqDkjAlGDL5roTpsc=',
  ],
  [
    'http, with a port',
    'http://localhost:4380/api/texts/inbound',
    [
      ['From', '+12025550143'],
      ['Body', ' stop '],
    ],
    '8iQO5gU7JxV1H+V1uEV21RIpNKs=',
  ],
  [
    'a port that says nothing new',
    'https://www.example.org:443/api/texts/inbound',
    [
      ['Body', 'START'],
      ['From', '+12025550143'],
    ],
    'fW0iWxRHnFpawdoFBfnbBBvGjSs=',
  ],
  ['no fields', inbound, [], '3tQuunVDBvlgoXI9me/0TFC1yzw='],
  [
    'a field three times',
    inbound,
    [
      ['Body', 'b'],
      ['Body', 'a'],
      ['Body', 'b'],
      ['From', '+1'],
    ],
    'pvZQPEOlXQ8oq/9if3M5lMmGthI=',
  ],
];

test.each(vectors)("a request with %s gets the same signature as by Twilio's library", (_what, url, fields, signature) => {
  expect(twilioSignature(token, url, new URLSearchParams(fields))).toBe(signature);
  expect(isSignedByTwilio(token, url, new URLSearchParams(fields), signature)).toBe(true);
});

test("a signature is valid with and without the scheme's default port, and with no other change", () => {
  const [, url, fields, signature] = vectors[0] ?? ['', '', [], ''];
  const isValid = (address: string, form = fields, by = signature, key = token) =>
    isSignedByTwilio(key, address, new URLSearchParams(form), by);
  expect(isValid('https://www.example.org:443/api/texts/inbound')).toBe(true);
  const [, withPort, start, otherSignature] = vectors[4] ?? ['', '', [], ''];
  expect(isValid(withPort.replace(':443', ''), start, otherSignature)).toBe(true);
  expect(isValid(`${url}?x=1`)).toBe(false);
  expect(isValid(url.replace('https', 'http'))).toBe(false);
  expect(isValid(url, [...fields, ['Extra', '']])).toBe(false);
  expect(isValid(url, fields.slice(1))).toBe(false);
  expect(isValid(url, fields, '')).toBe(false);
  expect(isValid(url, fields, signature.slice(0, -1))).toBe(false);
  expect(isValid(url, fields, signature, `${token}0`)).toBe(false);
});
