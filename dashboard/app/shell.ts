import type { QueryClient } from '@tanstack/react-query';
import { createContext, type RefObject, useContext } from 'react';
import type { Support } from '../lib/support.ts';

/** State that outlives each screen. The query client is null until needed, to keep it out of a guest's first load. */
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
