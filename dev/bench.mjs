import { begin } from './setup.mjs';

await begin('dev/bench.ts');
