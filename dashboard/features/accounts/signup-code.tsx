import { type ReactNode, useEffect } from 'react';
import { Link } from 'react-router';
import { HttpError } from '../../lib/http.ts';
import { pages, paths } from '../../lib/paths.ts';
import { Loading } from '../../ui/loading.tsx';
import { useSignupCode } from './queries.ts';
import { messages } from './signup-messages.ts';

/** Looks a sign-up code up, which does not use it up; what is inside gets the id that registering sends (P1.6). */
export function SignupCode({ code, children }: { code: string; children: (id: string) => ReactNode }) {
  const found = useSignupCode(code);
  const dead = found.error instanceof HttpError ? messages.dead[found.error.code ?? ''] : undefined;
  if (dead) return <Dead heading={dead[0]} what={dead[1]} />;
  return (
    <Loading of={found} height={480}>
      {(id) => (id === null ? <ToShare code={code} /> : children(id))}
    </Loading>
  );
}

function Dead({ heading, what }: { heading: string; what: string }) {
  return (
    <div className="card stack">
      <h1>{heading}</h1>
      <p>{what}</p>
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
