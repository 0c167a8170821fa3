import type { HolderProof } from '@porchlight/contract/sign-in-methods.ts';
import { usePasswordDialog } from '../profile/password-dialog.tsx';

/** The dialog's answer in the form that calls send. */
export function useHolderProof() {
  const { withPassword, dialog } = usePasswordDialog();
  const withProof = (attempt: (proof: HolderProof) => Promise<unknown>, words: NonNullable<Parameters<typeof withPassword>[1]>) =>
    withPassword((current_password) => attempt({ current_password }), words);
  return { withProof, dialog };
}
