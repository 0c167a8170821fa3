import type { Os } from '../port.ts';
import { loadServices } from './native/services.ts';
import { windows } from './windows.ts';

/** For callers that open no window and prevent no program starts. */
export const createWindowsOs = (): Os => windows({ calls: loadServices(), service: true, deniedCommand: '', openWindow: () => false }).os;
