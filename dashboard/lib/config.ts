import type { DashboardConfig } from '@porchlight/contract/dashboard-config.ts';

/** The configuration that the server writes into the page (P1.7). */
export const config: DashboardConfig = JSON.parse(document.getElementById('config')?.textContent ?? '{}');
