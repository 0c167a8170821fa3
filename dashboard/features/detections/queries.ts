import type { AlertAnswer } from '@porchlight/contract/detections.ts';
import { limits } from '@porchlight/contract/limits.ts';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../lib/call.ts';
import { HttpError } from '../../lib/http.ts';
import { useWrite } from '../../lib/use-write.ts';

/** How often an open page asks again: an alert shows within seconds. */
export const poll = 5000;

const key = ['detections'];

/** Recent alerts, of one device or, without one, of all: then the newest that was not blocked is the last of them, however many came since. */
export function useDetections(device?: string, length: number = limits.detections_page) {
  return useQuery({
    queryKey: [...key, device ?? 'all', length],
    queryFn: async () => {
      const { items, unblocked } = await call('GET /web/detections', { query: { offset: 0, length, ...(device ? { device } : {}) } });
      return { items: unblocked ? [...items, unblocked] : items };
    },
    refetchInterval: poll,
  });
}

/** A page of the history, of one device or of all. `page`: from 1. */
export function useHistory(device: string | undefined, page: number) {
  const length = limits.detections_page;
  return useQuery({
    queryKey: [...key, 'history', device ?? 'all', page],
    queryFn: () => call('GET /web/detections', { query: { offset: (page - 1) * length, length, ...(device ? { device } : {}) } }),
    refetchInterval: poll,
  });
}

/** One alert by its id; not asked for again where it is gone. */
export function useDetection(id: string | null) {
  return useQuery({
    queryKey: [...key, 'one', id],
    queryFn: () => call('GET /web/detections/:id', { params: { id: id ?? '' } }),
    enabled: id !== null,
    retry: false,
    refetchInterval: ({ state }) => (state.error instanceof HttpError && state.error.status === 404 ? false : poll),
  });
}

/** Whether there is an alert at all; asked for once. */
export function useHasAlerts(enabled: boolean) {
  return useQuery({
    queryKey: [...key, 'any'],
    queryFn: async () => (await call('GET /web/detections', { query: { offset: 0, length: 1 } })).items.length > 0,
    enabled,
    retry: false,
  });
}

/** What the holder says of an alert. Everything that shows alerts is loaded again after it. */
export function useAlertActions(uuid: string) {
  const params = { uuid };
  return {
    answer: useWrite((answer: AlertAnswer['answer']) => call('POST /web/detections/:uuid/answer', { params, body: { answer } }), key),
    callWrong: useWrite(() => call('POST /web/detections/:uuid/wrong', { params }), key),
  };
}
