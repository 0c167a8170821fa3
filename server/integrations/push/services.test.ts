import { expect, test } from 'vitest';
import { knownPushServices, pushServiceOf } from './services.ts';

const services = [...knownPushServices, 'push.operator.example'];

test.each([
  ['https://fcm.googleapis.com/fcm/send/abc:def', 'fcm.googleapis.com'],
  ['https://FCM.googleapis.com:443/wp/abc', 'fcm.googleapis.com'],
  ['https://updates.push.services.mozilla.com/wpush/v2/abc', '*.push.services.mozilla.com'],
  ['https://web.push.apple.com/abc', '*.push.apple.com'],
  ['https://wns2-par02p.notify.windows.com/w/?token=abc', '*.notify.windows.com'],
  ['https://push.operator.example/abc', 'push.operator.example'],
])('[P11.6] the endpoint %s belongs to the service %s', (endpoint, service) => {
  expect(pushServiceOf(endpoint, services)).toBe(service);
});

test.each([
  ['without encryption', 'http://fcm.googleapis.com/x'],
  ['with another scheme', 'file://fcm.googleapis.com/etc/passwd'],
  ['with a port', 'https://fcm.googleapis.com:8443/x'],
  ['with the port of http', 'https://fcm.googleapis.com:80/x'],
  ['with a user', 'https://user@fcm.googleapis.com/x'],
  ['with a password', 'https://:secret@fcm.googleapis.com/x'],
  ['with a known host as its user', 'https://fcm.googleapis.com@127.0.0.1/x'],
  ['with a known host as its user, after a backslash', 'https://127.0.0.1\\@fcm.googleapis.com/x'],
  ['of this computer', 'https://localhost/x'],
  ['of this computer by its address', 'https://127.0.0.1/x'],
  ['of this computer as a number', 'https://2130706433/x'],
  ['of this computer by IPv6', 'https://[::1]/x'],
  ['of a cloud’s metadata', 'https://169.254.169.254/latest/meta-data'],
  ['with the known host at its beginning', 'https://fcm.googleapis.com.example/x'],
  ['with the known host at its end', 'https://evilfcm.googleapis.com/x'],
  ['with both', 'https://evilfcm.googleapis.com.example/x'],
  ['below an exact host', 'https://x.fcm.googleapis.com/x'],
  ['of the bare domain', 'https://push.apple.com/x'],
  ['with an end without its dot', 'https://evilpush.apple.com/x'],
  ['with a dot at its end', 'https://fcm.googleapis.com./x'],
  ['with a letter that looks alike', 'https://fcm.goog\u04cfeapis.com/x'],
  ['with a known host in its path', 'https://example.org/fcm.googleapis.com'],
  ['with a known host in its fragment', 'https://example.org#.push.apple.com'],
  ['that is none', 'fcm.googleapis.com'],
])('[P11.6] an endpoint %s belongs to no service', (_what, endpoint) => {
  expect(pushServiceOf(endpoint, services)).toBeNull();
});

test('without a service of the operator its endpoints belong to none', () => {
  expect(pushServiceOf('https://push.operator.example/abc', knownPushServices)).toBeNull();
});
