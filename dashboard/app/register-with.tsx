import type { ComponentProps } from 'react';
import { SignupCode } from '../features/accounts/signup-code.tsx';
import { PromoBanner } from '../features/subscriptions/promo-banner.tsx';
import { ServerState } from './server-state.tsx';

export function Offer({ promo }: { promo: string }) {
  return (
    <ServerState>
      <PromoBanner promo={promo} />
    </ServerState>
  );
}

export function SignupCodeCheck(props: ComponentProps<typeof SignupCode>) {
  return (
    <ServerState>
      <SignupCode {...props} />
    </ServerState>
  );
}
