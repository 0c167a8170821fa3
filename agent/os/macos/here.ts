import type { Os } from '../port.ts';
import { libproc } from './libproc.ts';
import { macos } from './macos.ts';

/** The Mac that this runs on. */
export const macHere = (): Os => macos(libproc(), { root: process.getuid?.() === 0 });
