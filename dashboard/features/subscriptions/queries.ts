import { useQuery } from '@tanstack/react-query';
import { call } from '../../lib/call.ts';
import { useNow } from '../../lib/use-now.ts';
import { useWrite } from '../../lib/use-write.ts';

/** A promo is requested once, because an unknown code stays unknown. After its end the page that is still open no longer offers it (3.10). */
export function usePromo(code: string | null) {
  const now = useNow();
  const { data, error, isLoading } = useQuery({
    queryKey: ['promo', code],
    queryFn: () => call('GET /promo-code', { query: { code: code ?? '' } }),
    enabled: code !== null,
    retry: false,
    staleTime: Infinity,
  });
  const hasEnded = data !== undefined && data.redeem_by !== null && data.redeem_by * 1000 <= now.getTime();
  return { data: hasEnded ? undefined : data, error, isLoading };
}

export const planKey = ['subscription'];

/** `pollEveryMs`: the polling interval in milliseconds. */
export function useSubscription(enabled = true, pollEveryMs?: number) {
  return useQuery({
    queryKey: planKey,
    queryFn: () => call('GET /web/profile/sub'),
    enabled,
    ...(pollEveryMs ? { refetchInterval: pollEveryMs } : {}),
  });
}

export function useProducts() {
  return useQuery({ queryKey: ['products'], queryFn: async () => (await call('GET /web/profile/sub/products')).products });
}

export const useOrder = () => useWrite((body: { price: string; promo: string | null }) => call('POST /web/profile/sub/order', { body }));

export const usePortal = () => useWrite(() => call('POST /web/profile/sub/portal'));
