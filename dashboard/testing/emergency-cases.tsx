import type { Guardian, GuardianView } from '@porchlight/contract/guardians.ts';
import { QueryClient } from '@tanstack/react-query';
import { type ComponentType, useState } from 'react';
import { MemoryRouter } from 'react-router';
import { Banners } from '../app/banners.tsx';
import { GuardianDoNow } from '../app/guardian-parts.tsx';
import { ShellContext } from '../app/shell.ts';
import { NeedHelp } from '../features/emergency/need-help.tsx';
import { GuardianRow } from '../features/guardians/guardian-row.tsx';
import { GuardianIncident } from '../features/incidents/guardian-incident.tsx';
import { useForm } from '../ui/form.tsx';
import { WithQueries } from './with-queries.tsx';

/** The cases of what can be done at once; the tests answer their calls. */

const guardianId = '33333333-3333-4333-8333-333333333333';
const denPc = { uuid: '11111111-1111-4111-8111-111111111111', name: 'Den PC', person: null };
const laptop = {
  uuid: '22222222-2222-4222-8222-222222222222',
  name: 'Mum’s laptop',
  person: { name: 'Mum', phone_number: '', is_holder: false },
};
const seen = { known: 'unasked' as const, last_seen: null, last_detection: '', outage: null };

const view: GuardianView = {
  ...{
    state: 'active',
    name: 'Bob Example',
    holder_name: 'Ann',
    mail: true,
    weekly: true,
    every_week: false,
    sms: false,
    phone_number: null,
  },
  ...{ phone_number_verified: false, phone_number_opted_out: false, phone_number_host: null, plan: true },
  devices: [
    { ...denPc, ...seen },
    { ...laptop, ...seen },
  ],
  ...{ alerts: [], requests: [], incidents: [] },
};

function DoNowCase() {
  const [reloads, setReloads] = useState(0);
  return (
    <>
      <h1>Everyone is protected</h1>
      <h2>Do something now</h2>
      <GuardianDoNow
        id={guardianId}
        view={view}
        link={new URLSearchParams(window.location.search)}
        reload={async () => setReloads((before) => before + 1)}
      />
      <p>Reloads: {reloads}</p>
    </>
  );
}

function EmergencyBannersCase() {
  const [queryClient] = useState(() => {
    const client = new QueryClient();
    client.setQueryData(['profile'], { email_verified: true, phone_number: '', phone_number_verified: false });
    return { current: client };
  });
  return (
    <ShellContext value={{ queryClient, setSupport: () => {} }}>
      <MemoryRouter>
        <Banners registering={false} />
      </MemoryRouter>
    </ShellContext>
  );
}

const helpCase = (devices: (typeof denPc | typeof laptop)[], guardians: string[]) => () => (
  <WithQueries>
    <h1>Home</h1>
    <NeedHelp devices={devices} guardians={guardians} />
  </WithQueries>
);

function GuardianRowCase() {
  const [may_isolate, setMayIsolate] = useState<boolean | null>(null);
  const form = useForm();
  const bob: Guardian = {
    ...{ uuid: denPc.uuid, name: 'Bob', email: 'bob@example.org', active: true, state: 'active', mail: true, texts: 'off' },
    ...{ last_looked: null, trouble: null, unreachable: false, may_isolate, position: null },
  };
  return (
    <WithQueries>
      <GuardianRow guardian={bob} form={form} onRemoved={() => {}} />
      <button type="button" onClick={() => setMayIsolate(true)}>
        Saved on
      </button>
      <button type="button" onClick={() => setMayIsolate(false)}>
        Saved off
      </button>
    </WithQueries>
  );
}

/** The page of an incident, which is in the answer of its call. */
const IncidentCase = () => (
  <GuardianIncident id={guardianId} uuid={guardianId} view={view} print={false} emergency={null} emergencyAsked={false} />
);

export const emergencyCases: Record<string, ComponentType> = {
  'do-now': DoNowCase,
  'emergency-banners': EmergencyBannersCase,
  help: helpCase([denPc], ['Bob']),
  'help-several': helpCase([denPc, laptop], ['Bob', 'Carol']),
  'help-alone': helpCase([denPc], []),
  'help-without-device': helpCase([], ['Bob']),
  'guardian-row': GuardianRowCase,
  'guardian-incident': IncidentCase,
};
