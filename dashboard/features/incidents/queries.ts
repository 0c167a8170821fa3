import type { Incident } from '@porchlight/contract/incidents.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../lib/call.ts';
import { HttpError } from '../../lib/http.ts';
import { holderCalls } from './calls.ts';

const pollMs = 10_000;

const key = ['incidents'];

/** One incident, not polled once it no longer exists. `show`: the answer of a call, shown without another request. */
export function useIncident(uuid: string) {
  const client = useQueryClient();
  const queryKey = [...key, 'one', uuid];
  const query = useQuery({
    queryKey,
    queryFn: holderCalls(uuid).load,
    retry: false,
    refetchInterval: ({ state }) => (state.error instanceof HttpError && state.error.status === 404 ? false : pollMs),
  });
  const show = async (incident: Incident) => {
    // A poll that began before the call must not bring the earlier state back.
    await client.cancelQueries({ queryKey });
    client.setQueryData(queryKey, incident);
  };
  return { query, show };
}

/** One page of the list, newest first; `page` counts from 1. */
export function useIncidents(page: number, length: number) {
  return useQuery({
    queryKey: [...key, page, length],
    queryFn: () => call('GET /web/incidents', { query: { offset: (page - 1) * length, length } }),
    retry: false,
    refetchInterval: pollMs,
  });
}
