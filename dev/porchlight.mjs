import { begin } from './setup.mjs';

await begin('server/cli/main.ts');
