import { readCatalogue } from '../catalogue.ts';
import type { Definition } from '../format.ts';

let catalogue: readonly Definition[] | null = null;

/** The shipped catalogue, read and checked once in a process: that takes longer than all else that a test server does at its start. */
export const shippedCatalogue = (): Definition[] => [...(catalogue ??= readCatalogue())];
