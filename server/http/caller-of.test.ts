import { expect, test } from 'vitest';
import { callerOf, isFarCaller } from './caller-of.ts';

test.each(['203.0.113.7', '198.18.128.1', '2001:db8::1', '::ffff:203.0.113.7', '2606:4700::1111'])(
  'the address %s counts as a caller from the internet',
  (ip) => {
    expect(isFarCaller(callerOf(ip))).toBe(true);
  },
);

test.each(['127.0.0.1', '10.1.2.3', '172.31.255.1', '192.168.1.20', '169.254.1.1', '::1', 'fd00::1', 'fe80::1%eth0', '::ffff:127.0.0.1'])(
  'the local address %s does not identify a caller',
  (ip) => {
    expect(isFarCaller(callerOf(ip))).toBe(false);
  },
);
