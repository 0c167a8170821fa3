import type { Os } from '../port.ts';
import { loadServices } from './native/services.ts';
import { windows } from './windows.ts';

/** The Windows that this runs on, for whoever shows nothing and denies nothing. */
export const windowsHere = (): Os => windows({ calls: loadServices(), service: true, instead: '', openWindow: () => false }).os;
