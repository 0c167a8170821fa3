import type { Way } from './way.ts';

/** Every way to switch the protection off that we could think of. */
export const waysAround: Way[] = [];
