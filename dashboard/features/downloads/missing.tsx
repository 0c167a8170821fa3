import type { InstallerPlatform } from '@porchlight/contract/downloads.ts';
import { config } from '../../lib/config.ts';
import { useSupport } from '../../lib/support.ts';
import { SupportContacts } from '../../ui/support.tsx';
import { messages, systems } from './download-messages.ts';

/**
 * There is no installer for a system, or with null none at all: who works on the product is told how they are made, everybody else how to hear
 * when there is one.
 */
export function Missing({ system }: { system: InstallerPlatform | null }) {
  return (
    <div className="note look missing stack">
      <p>{messages.none(system)}</p>
      {config.development ? (
        <p>
          {messages.make[0]} <code>npm run installers</code> {messages.make[1]}
        </p>
      ) : (
        <TellMe system={system} />
      )}
    </div>
  );
}

/** A mail that the person sends: whoever answers has read it, and we keep no address for it. */
function TellMe({ system }: { system: InstallerPlatform | null }) {
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
