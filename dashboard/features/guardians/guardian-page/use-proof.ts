import { type ReactNode, useState } from 'react';
import { flushSync } from 'react-dom';
import { cancelledWords, errorText } from '../../../lib/error-text.ts';
import { HttpError } from '../../../lib/http.ts';
import type { PageActions } from './use-guardian-page.ts';

/** An action that needs the code that the guardian gets as a text now (P10.2). */
export interface CodeRequest {
  /** The server's sentence. */
  why: string;
  /** Rejects if the code is wrong, and can be called again. */
  act(code: string): Promise<void>;
  close(): void;
}

/** Asks for the code; another feature's dialog. */
export type CodeProof = (request: CodeRequest) => ReactNode;

/** The page's actions; those that need a code in an incident wait until it is entered. `request`: what the dialog is about. */
export function useProof(actions: PageActions | null): { actions: PageActions | null; request: CodeRequest | null } {
  const [request, setRequest] = useState<CodeRequest | null>(null);
  const proving = (act: (code?: string) => Promise<void>) =>
    act().catch((err: unknown) => {
      if (!(err instanceof HttpError) || err.code !== 'code_needed') throw err;
      const pressed = document.activeElement;
      const end = () => {
        flushSync(() => setRequest(null));
        if (pressed instanceof HTMLElement) pressed.focus();
      };
      return new Promise<void>((resolve, reject) => {
        setRequest({
          why: errorText(err),
          async act(code) {
            await act(code);
            end();
            resolve();
          },
          close() {
            end();
            reject(new Error(cancelledWords));
          },
        });
      });
    });
  if (!actions) return { actions, request };
  return {
    actions: {
      ...actions,
      leave: () => proving(actions.leave),
      change: (settings) => proving((code) => actions.change(code ? { ...settings, code } : settings)),
    },
    request,
  };
}
