import { defineConfig } from '@playwright/test';
import { browserFlags, findBrowser } from './dev/browser.ts';

const executablePath = findBrowser();

/** These start an agent; every other file boots a server of its own and nothing else. */
const withAgent =
  /(agent-(link|owner|sites|window)[\w-]*|allow-list-agent|link-by-code|free-agent|hand-over|loopback-permission|policies-agent|story|screens\/axe)\.e2e\.ts$/;

export default defineConfig({
  testDir: 'e2e',
  testMatch: /\.(e2e|test)\.ts$/,
  outputDir: 'test-results',
  workers: 2,
  projects: [
    { name: 'screens', testIgnore: withAgent },
    // The agent's loopback port exists only once on a computer.
    { name: 'agent', testMatch: withAgent, workers: 1 },
  ],
  retries: 0,
  forbidOnly: true,
  timeout: 60_000,
  // A busy machine may take its time; what has a limit of its own says so where it is tested.
  expect: { timeout: 10_000 },
  reporter: [['list'], ['json', { outputFile: process.env.PLAYWRIGHT_JSON_OUTPUT_NAME ?? 'test-results/e2e.json' }]],
  use: {
    launchOptions: { ...(executablePath ? { executablePath } : {}), args: browserFlags },
    // A trace costs a sixth of the time: `TRACE=on npm test` keeps one of each test that fails.
    trace: process.env.TRACE ? 'retain-on-failure' : 'off',
  },
});
