import { begin } from './setup.mjs';

await begin('dev/test.ts');
