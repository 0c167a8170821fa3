import type { HolderProof } from '@porchlight/contract/sign-in-methods.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../lib/call.ts';
import { useWrite } from '../../../lib/use-write.ts';

const deletionKey = ['account-deletion'];
/** The polling interval in milliseconds: another browser, or the link of the email, may change it. */
const pollMs = 60_000;

/** When the account will be deleted. */
export const useDeletion = (enabled = true) =>
  useQuery({ queryKey: deletionKey, queryFn: () => call('GET /web/account/deletion'), refetchInterval: pollMs, enabled });

export function useChangeDeletion() {
  const client = useQueryClient();
  const show = (deletion: { deletes: string | null }) => client.setQueryData(deletionKey, deletion);
  return {
    ask: useWrite(async (proof: HolderProof) => show(await call('POST /web/account/deletion', { body: proof }))),
    stop: useWrite(async () => {
      await call('POST /web/account/deletion/stop');
      show({ deletes: null });
    }),
  };
}

export type DownloadFormat = 'json' | 'page';

export const useDownload = () => useWrite((body: HolderProof & { format: DownloadFormat }) => call('POST /web/account/download', { body }));

/** Needs no login. */
export const useKeepByLink = () => useWrite((token: string) => call('POST /keep-account', { body: { token } }), deletionKey);
