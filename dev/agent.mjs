import { begin } from './setup.mjs';

await begin('agent/main.ts', { settings: 'values' });
