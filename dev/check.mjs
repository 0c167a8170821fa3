import { begin } from './setup.mjs';

await begin('dev/check.ts');
