import type { Profile } from '@porchlight/contract/accounts.ts';
import { QueryClient } from '@tanstack/react-query';
import { type ComponentType, useState } from 'react';
import { MemoryRouter } from 'react-router';
import { Banners } from '../app/banners.tsx';
import { ConsentBanner } from '../app/integrations/consent-banner.tsx';
import { ShellContext } from '../app/shell.ts';
import { ConfirmButton } from '../features/guardians/guardian-page/confirm-button.tsx';
import { FormError } from '../lib/error-text.ts';
import { HttpError } from '../lib/http.ts';
import { ConfirmProvider, useConfirm } from '../ui/confirm-dialog.tsx';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { Field } from '../ui/field.tsx';
import { Form, QuietStatus, useForm } from '../ui/form.tsx';
import { Loading } from '../ui/loading.tsx';
import { LazyPhoneField } from '../ui/phone/phone-field-lazy.tsx';
import { callCases } from './call-cases.tsx';
import { downloadCases } from './download-cases.tsx';
import { emergencyCases } from './emergency-cases.tsx';

/** The input decides the server's answer: `refused`, `offline` or `slow`; anything else is saved. */
function FormCase() {
  const form = useForm();
  const [name, setName] = useState('');
  const [calls, setCalls] = useState(0);
  const submit = () =>
    form.run(async () => {
      if (!name) throw new FormError({ name: 'Please enter a name.' });
      setCalls((previousCount) => previousCount + 1);
      if (name === 'refused') throw new HttpError(422, { error: 'The name was refused.', fields: [{ field: 'Name', tag: 'min' }] });
      if (name === 'offline') throw new HttpError(null);
      if (name === 'slow') await new Promise((resolve) => setTimeout(resolve, 2000));
      return 'Your name was saved.';
    });
  return (
    <Form state={form} onSubmit={() => void submit()} label="Name">
      <Field label="Name" name="name" hint="As on the door." value={name} onChange={setName} problem={form.fields.name} />
      <button type="submit" className="btn">
        Save
      </button>
      <p>Calls: {calls}</p>
    </Form>
  );
}

function DialogCase() {
  return (
    <ConfirmProvider>
      <Ask name="Remove" danger />
      <Ask name="Resend" />
    </ConfirmProvider>
  );
}

function Ask({ name, danger = false }: { name: string; danger?: boolean }) {
  const ask = useConfirm();
  const form = useForm();
  const press = () =>
    form.run(async () => {
      await ask({ heading: `${name}?`, body: `${name} it now.`, confirm: `Yes, ${name}`, danger });
      return `${name}: confirmed.`;
    });
  return (
    <Form state={form} onSubmit={() => void press()} label={name}>
      <button type="submit" className="btn">
        {name}
      </button>
    </Form>
  );
}

function ConfirmButtonCase() {
  const [left, setLeft] = useState('');
  return (
    <>
      <ConfirmButton
        label="Leave"
        danger
        ask={{ heading: 'Stop?', body: 'We no longer tell you.', confirm: 'Yes, stop' }}
        act={async () => setLeft('You left.')}
      />
      <p role="status">{left}</p>
    </>
  );
}

function BannersCase() {
  const [queryClient] = useState(() => ({
    current: clientWith({ email_verified: false, phone_number: '+12025550143', phone_number_verified: false }),
  }));
  const [registering, setRegistering] = useState(false);
  return (
    <ShellContext value={{ queryClient, setSupport: () => {} }}>
      <MemoryRouter>
        <Banners registering={registering} />
        <button type="button" onClick={() => setRegistering(true)}>
          Register
        </button>
      </MemoryRouter>
    </ShellContext>
  );
}

function clientWith(profile: Partial<Profile>): QueryClient {
  const client = new QueryClient();
  client.setQueryData(['profile'], profile);
  return client;
}

function BoundaryCase() {
  return (
    <>
      <p>Everything around it stays.</p>
      <ErrorBoundary>
        <Broken />
      </ErrorBoundary>
    </>
  );
}

function Broken() {
  const [broken, setBroken] = useState(false);
  if (broken) throw new Error('undefined is not a function');
  return (
    <button type="button" onClick={() => setBroken(true)}>
      Break
    </button>
  );
}

function LoadingCase() {
  const [tries, setTries] = useState(0);
  const failedData = { data: undefined, error: new HttpError(null), refetch: () => setTries(2) };
  const states = [{ data: undefined, error: null }, failedData, { data: 'Here it is.', error: null }];
  return (
    <>
      <Loading of={states[tries] ?? failedData} heading="Devices">
        {(text) => <p>{text}</p>}
      </Loading>
      <button type="button" onClick={() => setTries(1)}>
        Fail
      </button>
    </>
  );
}

function PhoneCase() {
  const [number, setNumber] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  return (
    <>
      <LazyPhoneField label="Phone number" name="phone" value={number} onChange={setNumber} onProblem={setProblem} hint="For texts." />
      <p data-testid="number">{number}</p>
      <p data-testid="problem">{problem}</p>
    </>
  );
}

function ConsentCase() {
  const [answer, setAnswer] = useState('');
  return (
    <>
      <ConsentBanner
        services={['chat', 'errors']}
        before={{ chat: true }}
        focus
        onAnswer={(newConsent) => setAnswer(JSON.stringify(newConsent))}
      />
      <p data-testid="answer">{answer}</p>
    </>
  );
}

function QuietCase() {
  const form = useForm();
  return (
    <>
      <button type="button" onClick={() => void form.run(() => Promise.reject(new HttpError(500, {})))}>
        Fail
      </button>
      <QuietStatus state={form} />
    </>
  );
}

export const cases: Record<string, ComponentType> = {
  form: FormCase,
  dialog: DialogCase,
  'confirm-button': ConfirmButtonCase,
  banners: BannersCase,
  boundary: BoundaryCase,
  loading: LoadingCase,
  phone: PhoneCase,
  consent: ConsentCase,
  quiet: QuietCase,
  ...downloadCases,
  ...emergencyCases,
  ...callCases,
};
