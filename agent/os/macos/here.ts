import type { Os } from '../port.ts';
import { libproc } from './libproc.ts';
import { macos } from './macos.ts';

export const createMacOs = (): Os => macos(libproc(), { root: process.getuid?.() === 0 });
