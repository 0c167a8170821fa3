import { Navigate } from 'react-router';
import { paths } from '../../lib/paths.ts';
import { Loading } from '../../ui/loading.tsx';
import { SupportContacts } from '../../ui/support.tsx';
import { ChangeEmail } from './change-email.tsx';
import { messages } from './email-messages.ts';
import { useProfile } from './queries.ts';
import { ResendButton } from './resend-button.tsx';
import { maskEmail } from './rules.ts';

/** Polls until the address is confirmed, on any device, and then continues (P2.3). */
export function VerifyEmailScreen() {
  const profile = useProfile({ poll: 3000 });
  if (profile.data?.email_verified) return <Navigate to={paths.home} replace />;
  return (
    <div className="wrap narrow">
      <div className="card stack">
        <h1>{messages.verifyHeading}</h1>
        <Loading of={profile} height={96}>
          {({ email, pending_email }) => <p>{messages.verifyLead(maskEmail(pending_email ?? email))}</p>}
        </Loading>
        <ResendButton done={messages.sentAgain} />
        <ChangeEmail />
        <p className="soft">
          {messages.needHelpMore} <SupportContacts />
        </p>
      </div>
    </div>
  );
}
