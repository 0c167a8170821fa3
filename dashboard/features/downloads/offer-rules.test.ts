import { expect, test } from 'vitest';
import { installerFor, isInstallerMissing, missingCause, platformsFor, pollMs } from './offer-rules.ts';

test.each([
  ['Windows', 'Windows 11', 'windows'],
  ['macOS', 'macOS 15', 'macos'],
  ['unknown', 'Linux', 'linux'],
  ['unknown', 'Android', null],
] as const)('a computer of the kind %s, described as %s, is offered the installer %s', (kind, description, installer) => {
  expect(installerFor({ kind, description, supported: true })).toBe(installer);
});

test('the installer of this computer comes first, and the package for Linux is shown on Linux alone', () => {
  expect(platformsFor(null)).toEqual(['windows', 'macos']);
  expect(platformsFor('windows')).toEqual(['windows', 'macos']);
  expect(platformsFor('macos')).toEqual(['macos', 'windows']);
  expect(platformsFor('linux')).toEqual(['linux', 'windows', 'macos']);
});

test('an installer counts as missing if the server offers none for this kind of computer, except on Linux', () => {
  expect(isInstallerMissing(['windows'], 'macos')).toBe(true);
  expect(isInstallerMissing(['windows'], 'windows')).toBe(false);
  expect(isInstallerMissing([], null)).toBe(false);
  expect(isInstallerMissing([], 'linux')).toBe(false);
});

test('a page asks often while the server builds, rarely after a failure, and not at all when nothing will change', () => {
  expect(pollMs({ state: 'building', progress: null })).toBe(3_000);
  expect(pollMs({ state: 'failed', reason: 'offline' })).toBe(30_000);
  expect(pollMs({ state: 'idle' })).toBe(null);
});

test.each([
  ['building', { state: 'building', progress: null }, true, 'windows', 'building'],
  ['failed', { state: 'failed', reason: 'other' }, false, 'macos', 'failed'],
  ['ended without makensis', { state: 'idle' }, true, 'windows', 'makensis'],
  ['ended without makensis', { state: 'idle' }, true, null, 'makensis'],
  ['ended without makensis', { state: 'idle' }, true, 'macos', 'none'],
  ['not begun', { state: 'idle' }, false, 'windows', 'none'],
] as const)(
  'while a build is %s, with %j and makensis missing: %s, the cause on %s is %s',
  (_name, build, needsMakensis, system, cause) => {
    expect(missingCause({ platforms: [], build, needsMakensis }, system)).toBe(cause);
  },
);
