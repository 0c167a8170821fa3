import type { HolderProof } from '@porchlight/contract/sign-in-methods.ts';
import type { ReactNode } from 'react';
import { usePasswordDialog } from '../profile/password-dialog.tsx';

/** The dialog's answer in the form that calls send. `lead`: why it asks. */
export function useHolderProof(lead: string): {
  withProof: (attempt: (proof: HolderProof) => Promise<unknown>) => Promise<void>;
  dialog: ReactNode;
} {
  const { withPassword, dialog } = usePasswordDialog(lead);
  return { withProof: (attempt) => withPassword((current_password) => attempt({ current_password })), dialog };
}
