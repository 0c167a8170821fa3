import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Loading } from '../../../ui/loading.tsx';
import { Authenticator } from './authenticator.tsx';
import { messages } from './messages.ts';
import { Passkeys } from './passkeys.tsx';
import { useSignInMethods } from './queries.ts';
import { RecoveryCodesCard } from './recovery-codes-card.tsx';
import { type NewCodes, ShownCodes } from './shown-codes.tsx';
import './sign-in.css';

/** Passkeys, the authenticator app and recovery codes, each optional (P13.1). */
export function SignInMethods() {
  const methods = useSignInMethods();
  // Only here, and gone with this page: recovery codes are shown once.
  const [newCodes, setNewCodes] = useState<NewCodes | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const onSaved = () => {
    flushSync(() => setNewCodes(null));
    heading.current?.focus();
  };
  if (newCodes) return <ShownCodes newCodes={newCodes} onSaved={onSaved} />;
  return (
    <div className="stack-l">
      <div className="stack">
        <h2 ref={heading} tabIndex={-1}>
          {messages.heading}
        </h2>
        <p>{messages.lead}</p>
      </div>
      <Loading of={methods} height={420}>
        {({ passkeys, authenticator, recovery_codes_left }) => (
          <>
            <Passkeys passkeys={passkeys} onCodes={setNewCodes} />
            <Authenticator since={authenticator} onCodes={setNewCodes} />
            <RecoveryCodesCard left={recovery_codes_left} possible={passkeys.length > 0 || authenticator !== null} onCodes={setNewCodes} />
          </>
        )}
      </Loading>
    </div>
  );
}
