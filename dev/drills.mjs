import { begin } from './setup.mjs';

await begin('dev/drills.ts');
