import { useQuery } from '@tanstack/react-query';
import { call } from '../../lib/call.ts';
import { useWrite } from '../../lib/use-write.ts';

const key = ['fire-drill'];

export function useFireDrill() {
  return {
    drill: useQuery({
      queryKey: key,
      queryFn: async () => (await call('GET /web/fire-drill')).drill,
      refetchInterval: ({ state }) => (state.data?.reached.some((one) => one.state === 'waiting') ? 1000 : 5000),
    }),
    start: useWrite(() => call('POST /web/fire-drill'), key),
  };
}
