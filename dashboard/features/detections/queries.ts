import { limits } from '@porchlight/contract/limits.ts';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../lib/call.ts';

/** How often an open page asks again: an alert shows within seconds. */
export const poll = 5000;

/** Recent alerts, of one device or, without one, of all: then the newest that was not blocked is the last of them, however many came since. */
export function useDetections(device?: string, length: number = limits.detections_page) {
  return useQuery({
    queryKey: ['detections', device ?? 'all', length],
    queryFn: async () => {
      const { items, unblocked } = await call('GET /web/detections', { query: { offset: 0, length, ...(device ? { device } : {}) } });
      return { items: unblocked ? [...items, unblocked] : items };
    },
    refetchInterval: poll,
  });
}
