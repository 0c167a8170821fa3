import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { Link } from 'react-router';
import { call } from '../../lib/call.ts';
import { HttpError } from '../../lib/http.ts';
import { pages, paths } from '../../lib/paths.ts';
import { Loading } from '../../ui/loading.tsx';
import { messages } from './signup-messages.ts';

/** Looks a sign-up code up, which does not use it up; what is inside gets the id that registering sends (P1.6). */
export function SignupCode({ code, children }: { code: string; children: (id: string) => ReactNode }) {
  const found = useQuery({ queryKey: ['signup-code', code], queryFn: () => look(code), retry: false, staleTime: Infinity });
  const dead = found.error instanceof HttpError ? messages.dead[found.error.code ?? ''] : undefined;
  if (dead) return <Dead heading={dead[0]} what={dead[1]} />;
  return (
    <Loading of={found} height={480}>
      {(id) => (id === null ? <ToShare code={code} /> : children(id))}
    </Loading>
  );
}

/** Null for the code of a device, opened at the wrong door. */
async function look(code: string): Promise<string | null> {
  const answer = await call('POST /code', { body: { code } });
  return 'signup_code_id' in answer ? answer.signup_code_id : null;
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
