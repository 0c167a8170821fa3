import { defineConfig } from '@playwright/test';
import { agentFiles } from './dev/agent-files.ts';
import { browserFlags, findBrowser } from './dev/browser.ts';
import { leftOut, retries } from './dev/tiers.ts';
import { workersOf } from './dev/workers.ts';

const executablePath = findBrowser();
const otherTier = leftOut().map((file) => `**/${file}`);

export default defineConfig({
  testDir: 'e2e',
  testMatch: /\.(e2e|test)\.ts$/,
  outputDir: 'test-results',
  globalSetup: './e2e/lib/global-setup.ts',
  workers: workersOf('browser'),
  projects: [
    { name: 'screens', testIgnore: [agentFiles, ...otherTier] },
    { name: 'agent', testMatch: agentFiles, testIgnore: otherTier, workers: 1 },
  ],
  retries: retries(),
  forbidOnly: true,
  timeout: 60_000,
  // Generous for busy machines; tests check their own limits.
  expect: { timeout: 10_000 },
  reporter: 'list',
  use: {
    launchOptions: { ...(executablePath ? { executablePath } : {}), args: browserFlags },
    // A trace costs a sixth of the time: `TRACE=on npm test` stores one for each failed test.
    trace: process.env.TRACE ? 'retain-on-failure' : 'off',
  },
});
