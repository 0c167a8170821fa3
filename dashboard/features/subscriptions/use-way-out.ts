import { useRef } from 'react';
import { redirectTo } from '../../lib/redirect.ts';
import { type FormState, useForm } from '../../ui/form.tsx';

/** The way to the payment service: `go` asks for its address and leaves for it, once, however fast one presses twice. */
export function useCheckoutRedirect(): { form: FormState; go: (ask: () => Promise<string>) => Promise<void> } {
  const form = useForm();
  // A second press can come before the form renders as loading.
  const under = useRef(false);
  const go = async (ask: () => Promise<string>) => {
    if (under.current) return;
    under.current = true;
    await form.run(async () => {
      await redirectTo(await ask());
      return undefined;
    });
    under.current = false;
  };
  return { form, go };
}
