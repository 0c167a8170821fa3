import { expect, test } from 'vitest';
import { NatsAddressError, natsAddress } from './nats-address.ts';

test.each([
  ['nats://localhost', { servers: ['localhost:4222'] }],
  ['nats://10.0.0.7:4333', { servers: ['10.0.0.7:4333'] }],
  ['nats://[::1]:4333', { servers: ['[::1]:4333'] }],
  ['tls://nats.example.org', { servers: ['nats.example.org:4222'], tls: {} }],
  ['nats://porchlight:p%40ss:w@a:1,nats://b', { servers: ['a:1', 'b:4222'], user: 'porchlight', pass: 'p@ss:w' }],
  ['nats://t0ken@a', { servers: ['a:4222'], token: 't0ken' }],
])('an address of NATS, %s, is read with its servers, its user and whether TLS is required', (text, options) => {
  expect(natsAddress(text).options).toEqual(options);
});

test('the hosts of an address of NATS are shown without its user and password', () => {
  expect(natsAddress('nats://porchlight:secret@a:1, nats://b').shown).toBe('a:1, b:4222');
});

test.each(['', 'localhost:4222', 'http://porchlight:secret@a', 'nats://', 'nats://porchlight:secret%@a', 'nats://a,porchlight:secret@b'])(
  'an address that is not one of NATS, "%s", is refused without being in the error',
  (text) => {
    const read = () => natsAddress(text);
    expect(read).toThrow(NatsAddressError);
    expect(read).not.toThrow(/secret|porchlight/);
  },
);
