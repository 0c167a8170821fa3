import type { Api } from '@porchlight/contract/all.ts';
import type { Answer } from '@porchlight/contract/endpoint.ts';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../lib/call.ts';
import { useWrite } from '../../lib/use-write.ts';

export type HolderEmergency = Answer<Api['GET /web/emergency']>;

const key = ['emergency'];
const pollMs = 10_000;

/** The emergency stops and network isolations that are in force. */
export function useEmergency(enabled: boolean) {
  return useQuery({ queryKey: key, queryFn: () => call('GET /web/emergency'), refetchInterval: pollMs, enabled });
}

/** Resolves to the incident's uuid. */
export function useHelp() {
  return useWrite(async (device: string) => (await call('POST /web/help', { body: { device } })).incident, key, ['incidents']);
}
