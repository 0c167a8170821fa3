// Tier: whole. It fetches and starts a browser.
import { expect, test } from 'vitest';
import { fontsIn } from './fetched-browser.ts';

test('the downloaded test browser has its font cache in its own folder, whatever folder it is started from', () => {
  expect(fontsIn('/home/ann/R&D/browser')).toContain('<cachedir>/home/ann/R&#38;D/browser/font-cache</cachedir>');
  expect(fontsIn('/home/ann/browser')).not.toContain('relative');
});
