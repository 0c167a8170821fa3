import type { OwnPolicy } from '@porchlight/contract/policies.ts';
import { useNavigate } from 'react-router';
import { Link } from '../../ui/link.tsx';
import { messages } from './messages.ts';
import { PolicyForm } from './policy-form.tsx';
import { usePolicyActions } from './queries.ts';

/** A new profile starts with the strictest actions: users decide what to permit. */
const initial: OwnPolicy = { name: '', actions: { RemoteControl: 'block', DeceptiveUtility: 'block', ScamWebsite: 'block' } };

export function NewPolicyScreen({ back, onMade }: { back: { to: string; label: string }; onMade?: (uuid: string) => void }) {
  const { make } = usePolicyActions();
  const navigate = useNavigate();
  const save = async (policy: OwnPolicy) => {
    const { uuid } = await make(policy);
    onMade?.(uuid);
    await navigate(back.to);
    return undefined;
  };
  return (
    <div className="wrap read stack-l">
      <Link className="alone" to={back.to}>
        {back.label}
      </Link>
      <h1>{messages.make.heading}</h1>
      <PolicyForm id="new" initial={initial} label={messages.make.heading} button={messages.make.save} save={save} />
    </div>
  );
}
