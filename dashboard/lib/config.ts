import type { DashboardConfig } from '@porchlight/contract/dashboard-config.ts';

/** What the server wrote into the page (P1.7). */
export const config: DashboardConfig = JSON.parse(document.getElementById('config')?.textContent ?? '{}');
