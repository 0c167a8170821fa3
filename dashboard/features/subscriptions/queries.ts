import { useQuery } from '@tanstack/react-query';
import { call } from '../../lib/call.ts';
import { useWrite } from '../../lib/use-write.ts';

/** An offer by its code, if there is one. It is asked for once: a code that is none stays none, and nobody waits for it. */
export function usePromo(code: string | null) {
  return useQuery({
    queryKey: ['promo', code],
    queryFn: () => call('GET /promo-code', { query: { code: code ?? '' } }),
    enabled: code !== null,
    retry: false,
    staleTime: Infinity,
  });
}

export const planKey = ['subscription'];

/** `every`: how often an open page asks again, in milliseconds. */
export function useSubscription(enabled = true, every?: number) {
  return useQuery({
    queryKey: planKey,
    queryFn: () => call('GET /web/profile/sub'),
    enabled,
    ...(every ? { refetchInterval: every } : {}),
  });
}

export function useProducts() {
  return useQuery({ queryKey: ['products'], queryFn: async () => (await call('GET /web/profile/sub/products')).products });
}

/** Answers the address of the checkout. */
export const useOrder = () => useWrite((body: { price: string; promo: string | null }) => call('POST /web/profile/sub/order', { body }));

/** Answers the address where the plan is changed, paid and canceled. */
export const usePortal = () => useWrite(() => call('POST /web/profile/sub/portal'));
