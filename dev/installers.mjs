import { begin } from './setup.mjs';

await begin('agent/installers/build.ts');
