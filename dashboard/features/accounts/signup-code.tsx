import { type ReactNode, useEffect } from 'react';
import { HttpError } from '../../lib/http.ts';
import { pages, paths } from '../../lib/paths.ts';
import { Link } from '../../ui/link.tsx';
import { Loading } from '../../ui/loading.tsx';
import { useSignupCode } from './queries.ts';

const messages = {
  dead: {
    code_unknown: ['We do not know this sign-up code', 'Check each letter and number of the link, or ask the person who gave it to you.'],
    code_used: ['This sign-up code has been used', 'Ask the person who gave it to you for a new one.'],
    code_expired: ['This sign-up code has expired', 'Ask the person who gave it to you for a new one.'],
  } as Record<string, [heading: string, what: string]>,
  works: 'Your sign-up code works. Register to use it.',
  without: 'Register without a code',
} as const;

/** Does not use the sign-up code up; `children` get its id (P1.6). */
export function SignupCode({ code, children }: { code: string; children: (id: string) => ReactNode }) {
  const signupCode = useSignupCode(code);
  const deadCodeMessage = signupCode.error instanceof HttpError ? messages.dead[signupCode.error.code ?? ''] : undefined;
  if (deadCodeMessage) return <Dead heading={deadCodeMessage[0]} what={deadCodeMessage[1]} />;
  return (
    <Loading of={signupCode} height={480}>
      {(id) =>
        id === null ? (
          <ToShare code={code} />
        ) : (
          <>
            <p className="note good">{messages.works}</p>
            {children(id)}
          </>
        )
      }
    </Loading>
  );
}

function Dead({ heading, what: explanation }: { heading: string; what: string }) {
  return (
    <div className="card stack">
      <h1>{heading}</h1>
      <p>{explanation}</p>
      <Link className="alone" to={paths.register}>
        {messages.without}
      </Link>
    </div>
  );
}

function ToShare({ code }: { code: string }) {
  useEffect(() => window.location.replace(pages.share(code)), [code]);
  return null;
}
