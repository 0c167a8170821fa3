import { defineConfig } from '@playwright/test';
import { browserFlags, findBrowser } from './dev/browser.ts';

const executablePath = findBrowser();

/** These tests start an agent; the others start only a server. */
const withAgent =
  /(agent-(holds|link|owner|sites|window)[\w-]*|allow-list-agent|coached|false-alarm|link-by-code|free-agent|hand-over|loopback-permission|policies-agent|story|screens\/axe)\.e2e\.ts$/;

export default defineConfig({
  testDir: 'e2e',
  testMatch: /\.(e2e|test)\.ts$/,
  outputDir: 'test-results',
  globalSetup: './e2e/lib/global-setup.ts',
  workers: 2,
  projects: [
    { name: 'screens', testIgnore: withAgent },
    // The agent's loopback port exists only once on a computer.
    { name: 'agent', testMatch: withAgent, workers: 1 },
  ],
  retries: 0,
  forbidOnly: true,
  timeout: 60_000,
  // Generous for busy machines; tests check their own limits.
  expect: { timeout: 10_000 },
  reporter: [['list'], ['json', { outputFile: process.env.PLAYWRIGHT_JSON_OUTPUT_NAME ?? 'test-results/e2e.json' }]],
  use: {
    launchOptions: { ...(executablePath ? { executablePath } : {}), args: browserFlags },
    // A trace costs a sixth of the time: `TRACE=on npm test` stores one for each failed test.
    trace: process.env.TRACE ? 'retain-on-failure' : 'off',
  },
});
