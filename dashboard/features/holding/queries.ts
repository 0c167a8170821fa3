import type { Api } from '@porchlight/contract/all.ts';
import type { CallInput } from '@porchlight/contract/endpoint.ts';
import type { HeldRequest, Holding } from '@porchlight/contract/held-requests.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from '../../lib/call.ts';
import { useWrite } from '../../lib/use-write.ts';

type OwnProof = CallInput<Api['POST /web/reauthenticate']>['body'];

const holdingKey = ['holding'];
const requestKey = (uuid: string | null) => ['held-request', uuid];

const listKey = ['held-requests'];

const VISIBLE_POLL_MS = 3_000;
const LIST_POLL_MS = 15_000;
const HIDDEN_POLL_MS = 10_000;

/** A hidden page polls too: the call behind the dialog should pass as soon as somebody says yes. Null asks for nothing. */
export function useHeldRequest(uuid: string | null) {
  return useQuery({
    queryKey: requestKey(uuid),
    queryFn: () => call('GET /web/requests/:uuid', { params: { uuid: uuid ?? '' } }),
    enabled: uuid !== null,
    gcTime: 0,
    refetchInterval: () => (document.hidden ? HIDDEN_POLL_MS : VISIBLE_POLL_MS),
    refetchIntervalInBackground: true,
  });
}

/** What waits for an answer, and what ended lately (P15.8). */
export function useHeldRequests() {
  return useQuery({
    queryKey: listKey,
    queryFn: () => call('GET /web/requests'),
    refetchInterval: ({ state }) => (state.data?.items.some(isWaiting) ? VISIBLE_POLL_MS : LIST_POLL_MS),
  });
}
export const isWaiting = ({ state }: HeldRequest): boolean => state === 'open' || state === 'yes';

/** The holder’s own answer to a request about somebody else’s computer (P10.2). */
export function useOwnAnswer(uuid: string) {
  const client = useQueryClient();
  const answer = async (body: { answer: 'yes' | 'no'; code?: string }) => {
    client.setQueryData(requestKey(uuid), await call('POST /web/requests/:uuid', { params: { uuid }, body }));
    await client.invalidateQueries({ queryKey: listKey });
  };
  return {
    reauthenticate: useReauthenticate(),
    sendCode: useWrite(() => call('POST /web/answer-code')),
    yes: useWrite((code: string | null) => answer({ answer: 'yes', ...(code === null ? {} : { code }) })),
    /** The holder no longer wants it. */
    takeBack: useWrite(() => answer({ answer: 'no' })),
  };
}

/** A new request is on the page's list at once. */
export function useReadList(request: string | null): void {
  const client = useQueryClient();
  useEffect(() => {
    if (request !== null) void client.invalidateQueries({ queryKey: listKey });
  }, [request, client]);
}

/** Reads all that is on the page once the server has made the change. */
export function useReadAgain(isDone: boolean): void {
  const client = useQueryClient();
  useEffect(() => {
    if (isDone) void client.invalidateQueries();
  }, [isDone, client]);
}

/** With the password, or with a passkey (P13.1). */
export const useReauthenticate = () => useWrite((body: OwnProof) => call('POST /web/reauthenticate', { body }));

/** *Ask first* (P10.3). */
export function useHolding() {
  return {
    holding: useQuery({ queryKey: holdingKey, queryFn: () => call('GET /web/holding') }),
    change: useWrite((body: Holding) => call('PATCH /web/holding', { body }), holdingKey),
  };
}
