import { expect, test } from 'vitest';
import { platformOf } from './platform.ts';

const olderWindows = 'an older Windows';
const unnamedSystem = 'something we do not know';

test.each([
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36', 'Windows', 'Windows', true],
  ['Mozilla/5.0 (Windows NT 10.0; WOW64; rv:115.0) Gecko/20100101', 'Windows', 'Windows', true],
  ['Mozilla/5.0 (Windows NT 10.0; ARM64) AppleWebKit/537.36', 'Windows', 'Windows on ARM', false],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; ARM64) AppleWebKit/537.36', 'Windows', 'Windows on ARM', false],
  ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36', 'Windows', '32-bit Windows', false],
  ['Mozilla/5.0 (Windows NT 6.3; Win64; x64) AppleWebKit/537.36', 'Windows', olderWindows, false],
  ['Mozilla/5.0 (Windows NT 6.1; Win64; x64) AppleWebKit/537.36', 'Windows', olderWindows, false],
  ['Mozilla/5.0 (Windows Phone 10.0; Android 6.0.1)', 'unknown', 'Windows, but not of a computer', false],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; Xbox; Xbox One) AppleWebKit/537.36', 'unknown', 'Windows, but not of a computer', false],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15', 'macOS', 'macOS', true],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10.9; rv:78.0) Gecko/20100101', 'macOS', 'macOS', true],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Mobile/15E148', 'unknown', 'iOS', false],
  ['Mozilla/5.0 (iPad; CPU OS 12_5 like Mac OS X) Mobile/15E148', 'unknown', 'iPadOS', false],
  ['Mozilla/5.0 (Linux; Android 14; Pixel 8)', 'unknown', 'Android', false],
  ['Mozilla/5.0 (X11; CrOS x86_64 14541.0.0)', 'unknown', 'ChromeOS', false],
  ['Mozilla/5.0 (X11; Linux x86_64)', 'unknown', 'Linux', false],
  ['something else', 'unknown', unnamedSystem, false],
  ['', 'unknown', unnamedSystem, false],
])('[9.11] [3.20] the platform is read from the user agent: %s', (userAgent, kind, description, supported) => {
  expect(platformOf({ userAgent, touch_points: 0, hints: null })).toEqual({ kind, description, supported });
});

test('[9.11] [3.20] a tablet whose browser claims to be a Mac is an unknown platform; a Mac with a touch bar is a Mac', () => {
  const userAgent = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15';
  expect(platformOf({ userAgent, touch_points: 5, hints: null })).toEqual({ kind: 'unknown', description: 'iPadOS', supported: false });
  expect(platformOf({ userAgent, touch_points: 1, hints: null }).kind).toBe('macOS');
});

const x64 = { architecture: 'x86', bitness: '64' };
test.each([
  [{ platform: 'Windows', platformVersion: '15.0.0', ...x64 }, 'Windows', 'Windows', true],
  [{ platform: 'Windows', platformVersion: '13.0.0', ...x64 }, 'Windows', 'Windows', true],
  [{ platform: 'Windows', platformVersion: '10.0.0', ...x64 }, 'Windows', 'Windows', true],
  [{ platform: 'Windows', platformVersion: '1.0.0', ...x64 }, 'Windows', 'Windows', true],
  [{ platform: 'Windows', platformVersion: '0.3.0', ...x64 }, 'Windows', olderWindows, false],
  [{ platform: 'Windows', platformVersion: '0.1', ...x64 }, 'Windows', olderWindows, false],
  [{ platform: 'Windows', platformVersion: '15.0.0', architecture: 'arm', bitness: '64' }, 'Windows', 'Windows on ARM', false],
  [{ platform: 'Windows', platformVersion: '10.0.0', architecture: 'x86', bitness: '32' }, 'Windows', '32-bit Windows', false],
  [{ platform: 'Windows' }, 'Windows', 'Windows', true],
  [{ platform: 'macOS', platformVersion: '10.9.0', ...x64 }, 'macOS', 'macOS', true],
  [{ platform: 'macOS', platformVersion: '26.0.0', architecture: 'arm', bitness: '64' }, 'macOS', 'macOS', true],
  [{ platform: 'Linux' }, 'unknown', 'Linux', false],
  [{ platform: 'Android' }, 'unknown', 'Android', false],
  [{ platform: 'Chrome OS' }, 'unknown', 'ChromeOS', false],
  [{ platform: 'Unknown' }, 'unknown', unnamedSystem, false],
])('[9.11] [3.20] client hints override the user agent: %j', (hints, kind, description, supported) => {
  for (const userAgent of ['Mozilla/5.0 (Windows NT 10.0; Win64; x64)', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', '']) {
    expect(platformOf({ userAgent, touch_points: 5, hints })).toEqual({ kind, description, supported });
  }
});

test('[9.11] empty user-agent hints fall back to the user agent', () => {
  expect(platformOf({ userAgent: 'Windows NT 10.0; Win64', touch_points: 0, hints: { platform: '' } }).supported).toBe(true);
});
