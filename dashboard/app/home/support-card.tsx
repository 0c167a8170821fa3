import { operatorSupport, useSupport } from '../../lib/support.ts';
import { SupportContacts } from '../../ui/support.tsx';
import { messages } from './messages.ts';

/** Clauses 1.4, 2.59. */
export function SupportCard() {
  const support = useSupport();
  return (
    <section className="card" aria-labelledby="support">
      <h3 id="support">{support.title}</h3>
      {support.description && <p>{support.description}</p>}
      {/* Only the operator makes this promise. */}
      {support === operatorSupport && <p className="soft">{messages.supportCard.lead}</p>}
      <p className="contacts">
        <SupportContacts />
      </p>
    </section>
  );
}
