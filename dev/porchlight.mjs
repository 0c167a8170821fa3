import { begin } from './setup.mjs';

await begin('server/command/main.ts');
