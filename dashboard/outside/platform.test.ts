import { expect, test } from 'vitest';
import { platformOf } from './platform.ts';

test.each([
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36', 'Windows', true],
  ['Mozilla/5.0 (Windows NT 10.0; ARM64) AppleWebKit/537.36', 'Windows', false],
  ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36', 'Windows', false],
  ['Mozilla/5.0 (Windows NT 6.1; Win64; x64) AppleWebKit/537.36', 'Windows', false],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15', 'macOS', true],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Mobile/15E148', 'unknown', false],
  ['Mozilla/5.0 (Linux; Android 14; Pixel 8)', 'unknown', false],
  ['Mozilla/5.0 (X11; Linux x86_64)', 'unknown', false],
])('[9.11] %s', (agent, kind, supported) => {
  expect(platformOf(agent)).toMatchObject({ kind, supported });
});
