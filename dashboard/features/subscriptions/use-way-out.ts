import { useRef } from 'react';
import { redirectTo } from '../../lib/redirect.ts';
import { type FormState, useForm } from '../../ui/form.tsx';

/** Redirects to the payment service, once even for a double click. `ask` returns the address. */
export function useCheckoutRedirect(): { form: FormState; go: (ask: () => Promise<string>) => Promise<void> } {
  const form = useForm();
  // A second press can come before the form renders as loading.
  const underWay = useRef(false);
  const go = async (ask: () => Promise<string>) => {
    if (underWay.current) return;
    underWay.current = true;
    await form.run(async () => {
      await redirectTo(await ask());
      return undefined;
    });
    underWay.current = false;
  };
  return { form, go };
}
