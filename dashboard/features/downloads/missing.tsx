import type { InstallerPlatform } from '@porchlight/contract/downloads.ts';
import { config } from '../../lib/config.ts';
import { useSupport } from '../../lib/support.ts';
import { SupportContacts } from '../../ui/support.tsx';
import { messages, systems } from './download-messages.ts';

/** `system`: null if there are no installers at all. */
export function Missing({ system }: { system: InstallerPlatform | null }) {
  return (
    <div className="note look missing stack">
      <p>{messages.none(system)}</p>
      {config.development ? (
        <p>
          {messages.make[0]} <code>npm run installers</code> {messages.make[1]}
        </p>
      ) : (
        <NotifyMe system={system} />
      )}
    </div>
  );
}

/** An email by the user, so that we need not store an address. */
export function NotifyMe({ system }: { system: InstallerPlatform | null }) {
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
