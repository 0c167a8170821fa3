import type { QueryClient } from '@tanstack/react-query';
import { createContext, type RefObject, useContext } from 'react';
import type { Support } from '../lib/support.ts';

/** What outlives each screen. The query client is null until the first screen needs it: a guest's first load does not carry it. */
export interface Shell {
  queryClient: RefObject<QueryClient | null>;
  setSupport: (support: Support) => void;
}

export const ShellContext = createContext<Shell | null>(null);

export function useShell(): Shell {
  const shell = useContext(ShellContext);
  if (!shell) throw new Error('useShell needs a ShellContext above it');
  return shell;
}
