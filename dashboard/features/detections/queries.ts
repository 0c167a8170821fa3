import type { AlertAnswer, Detection } from '@porchlight/contract/detections.ts';
import { limits } from '@porchlight/contract/limits.ts';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../lib/call.ts';
import { HttpError } from '../../lib/http.ts';
import { useWrite } from '../../lib/use-write.ts';

export const pollMs = 5000;

const key = ['detections'];

/** Recent alerts of one device, or of all devices, then with the newest unblocked alert last, however many came since. */
export function useDetections(device?: string, length: number = limits.detections_page) {
  return useQuery({
    queryKey: [...key, device ?? 'all', length],
    queryFn: async () => {
      const { items, unblocked } = await call('GET /web/detections', { query: { offset: 0, length, ...(device ? { device } : {}) } });
      return { items: unblocked ? [...items, unblocked] : items };
    },
    refetchInterval: pollMs,
  });
}

/** One page of the history; `page` counts from 1. */
export function useHistory(device: string | undefined, page: number) {
  const length = limits.detections_page;
  return useQuery({
    queryKey: [...key, 'history', device ?? 'all', page],
    queryFn: () => call('GET /web/detections', { query: { offset: (page - 1) * length, length, ...(device ? { device } : {}) } }),
    refetchInterval: pollMs,
  });
}

/** One alert, not polled once it no longer exists. */
export function useDetection(id: string | null) {
  return useQuery({
    queryKey: [...key, 'one', id],
    queryFn: () => call('GET /web/detections/:id', { params: { id: id ?? '' } }),
    enabled: id !== null,
    retry: false,
    refetchInterval: ({ state }) => (state.error instanceof HttpError && state.error.status === 404 ? false : pollMs),
  });
}

export function useHasAlerts(enabled: boolean) {
  return useQuery({
    queryKey: [...key, 'any'],
    queryFn: async () => (await call('GET /web/detections', { query: { offset: 0, length: 1 } })).items.length > 0,
    enabled,
    retry: false,
  });
}

export function useAlertActions({ uuid, device_id, info }: Detection) {
  const params = { uuid };
  return {
    /** Allows the site on this device (7.26). */
    openSite: useWrite(
      () =>
        call('POST /web/devices/:id/v2/exceptions', {
          params: { id: device_id },
          body: { type: 'domain', identifier: info.name, lasts: null },
        }),
      ['exceptions'],
    ),
    answer: useWrite((answer: AlertAnswer['answer']) => call('POST /web/detections/:uuid/answer', { params, body: { answer } }), key),
    callWrong: useWrite(() => call('POST /web/detections/:uuid/wrong', { params }), key),
  };
}
