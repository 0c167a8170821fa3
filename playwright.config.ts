import { defineConfig } from '@playwright/test';
import { browserFlags, findBrowser } from './dev/browser.ts';

const executablePath = findBrowser();

export default defineConfig({
  testDir: 'e2e',
  testMatch: /\.(e2e|test)\.ts$/,
  outputDir: 'test-results',
  // Each file boots a product of its own, and the agent's loopback port exists only once.
  workers: 1,
  retries: 0,
  forbidOnly: true,
  timeout: 60_000,
  reporter: [['list'], ['json', { outputFile: process.env.PLAYWRIGHT_JSON_OUTPUT_NAME ?? 'test-results/e2e.json' }]],
  use: {
    launchOptions: { ...(executablePath ? { executablePath } : {}), args: browserFlags },
    trace: 'retain-on-failure',
  },
});
