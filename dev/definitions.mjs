import { begin } from './setup.mjs';

await begin('definitions/cli/main.ts');
