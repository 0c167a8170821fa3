import type { InstallerPlatform } from '@porchlight/contract/downloads.ts';
import type { ReactNode } from 'react';
import { config } from '../../lib/config.ts';
import { useSupport } from '../../lib/support.ts';
import { SupportContacts } from '../../ui/support.tsx';
import { systems } from './download-messages.ts';
import { messages } from './not-ready-messages.ts';
import { missingCause } from './rules.ts';
import type { Offer } from './use-installers.ts';

interface MissingProps {
  /** Null if there are no installers at all. */
  system: InstallerPlatform | null;
  offer: Offer;
}

/** Says why there is no installer, and what to do: other words for who runs a server on their own computer. Nothing while it is being built. */
export function Missing({ system, offer }: MissingProps) {
  const cause = missingCause(offer, system);
  if (cause === 'building') return null;
  return (
    <div className="note look missing stack">
      <p>{cause === 'none' ? messages.none(system) : messages.notReady}</p>
      {cause === 'failed' && <p>{messages.failed}</p>}
      {config.development ? <Advice offer={offer} cause={cause} /> : <NotifyMe system={system} />}
    </div>
  );
}

function Advice({ offer: { build }, cause }: { offer: Offer; cause: 'failed' | 'makensis' | 'none' }) {
  if (cause === 'makensis') return <Command around={messages.makensis}>apt-get install nsis</Command>;
  return (
    <>
      {build.state === 'failed' && <p>{messages.failedWhy[build.reason]}</p>}
      <Command around={cause === 'failed' ? messages.byHand : messages.make}>npm run installers</Command>
    </>
  );
}

function Command({ around: [before, after], children }: { around: readonly [string, string]; children: ReactNode }) {
  return (
    <p>
      {before} <code>{children}</code> {after}
    </p>
  );
}

/** An email by the user, so that we need not store an address. */
function NotifyMe({ system }: { system: InstallerPlatform | null }) {
  const { email } = useSupport();
  if (!email) {
    return (
      <p>
        {messages.ask} <SupportContacts />
      </p>
    );
  }
  const body = messages.mail.body(system ? systems[system] : messages.mail.computer);
  const href = `mailto:${email}?subject=${encodeURIComponent(messages.mail.subject)}&body=${encodeURIComponent(body)}`;
  return (
    <>
      <p>
        {messages.tell} <SupportContacts />
      </p>
      <p>
        <a className="btn quiet" href={href}>
          {messages.mail.button}
        </a>
      </p>
    </>
  );
}
