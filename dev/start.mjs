import { begin } from './setup.mjs';

await begin('dev/start.ts');
