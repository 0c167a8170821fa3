import type { Api } from '@porchlight/contract/all.ts';
import type { Answer } from '@porchlight/contract/endpoint.ts';
import type { HolderProof, NewPasskey } from '@porchlight/contract/sign-in-methods.ts';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../../lib/call.ts';
import { useWrite } from '../../../lib/use-write.ts';

const signInKey = ['sign-in-methods'];

export const useSignInMethods = () => useQuery({ queryKey: signInKey, queryFn: () => call('GET /web/sign-in-methods') });

/** `add` resolves with the first recovery codes, or null. */
export function usePasskeyCalls() {
  return {
    begin: useWrite(async (proof: HolderProof) => (await call('POST /web/passkeys/options', { body: proof })).options),
    add: useWrite(async (passkey: NewPasskey) => (await call('POST /web/passkeys', { body: { passkey } })).recovery_codes, signInKey),
    remove: useWrite(
      ({ uuid, proof }: { uuid: string; proof: HolderProof }) => call('POST /web/passkeys/:uuid/remove', { params: { uuid }, body: proof }),
      signInKey,
    ),
  };
}

/** `finish` resolves with the first recovery codes, or null. */
export function useAuthenticatorCalls() {
  return {
    begin: useWrite((proof: HolderProof) => call('POST /web/authenticator/begin', { body: proof })),
    finish: useWrite(
      async (body: { setup: string; code: string }) => (await call('POST /web/authenticator', { body })).recovery_codes,
      signInKey,
    ),
    remove: useWrite((proof: HolderProof) => call('POST /web/authenticator/remove', { body: proof }), signInKey),
  };
}

export type AddedMethod = Answer<Api['POST /remove-sign-in/details']>;

/** What the link of an email removes. Needs no login. */
export const useAddedMethod = (token: string) =>
  useQuery({
    queryKey: ['added-sign-in', token],
    queryFn: () => call('POST /remove-sign-in/details', { body: { token } }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });

export const useRemoveAdded = () => useWrite((token: string) => call('POST /remove-sign-in', { body: { token } }));

export const useNewRecoveryCodes = () =>
  useWrite(async (proof: HolderProof) => (await call('POST /web/recovery-codes', { body: proof })).recovery_codes, signInKey);
