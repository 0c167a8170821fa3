import { Link } from 'react-router';
import { useKnownProfile } from '../features/accounts/queries.ts';
import { phoneNumberRequiresVerification } from '../features/accounts/rules.ts';
import { config } from '../lib/config.ts';
import { paths } from '../lib/paths.ts';
import { messages } from './messages.ts';
import { ServerState } from './server-state.tsx';

/** `registering`: hides the email banner, since the screen itself mentions the email (2.130). */
export function Banners({ registering }: { registering: boolean }) {
  return (
    <ServerState>
      {!registering && config.features.unverified_banner && <UnverifiedBanner />}
      <PhoneBanner />
    </ServerState>
  );
}

function UnverifiedBanner() {
  const { data } = useKnownProfile();
  if (!data || data.email_verified) return null;
  return <Banner words={messages.unverified} to={paths.verifyEmail} link={messages.verify} />;
}

/** Shown until the phone number is verified (2.45). */
function PhoneBanner() {
  const { data } = useKnownProfile();
  if (!data || !phoneNumberRequiresVerification(data, config.features)) return null;
  return <Banner words={messages.unverifiedPhone} to={paths.verifyPhone} link={messages.verifyPhone} />;
}

function Banner({ words: text, to, link }: { words: string; to: string; link: string }) {
  return (
    <div className="banner no-print" role="status">
      <div className="wrap">
        <span>{text}</span>
        <Link className="alone" to={to}>
          {link}
        </Link>
      </div>
    </div>
  );
}
