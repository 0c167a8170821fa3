import { type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { paths } from '../../../lib/paths.ts';
import { Form, useForm } from '../../../ui/form.tsx';
import { useDevice, useDeviceActions } from '../queries.ts';
import { t } from '../texts.ts';
import { AutoConnect } from './auto-connect.tsx';
import { clearSetup, type Draft, type Setup } from './draft.ts';
import { Ways } from './ways.tsx';

type Created = NonNullable<Setup['created']>;
type Downloads = ((code: string) => ReactNode) | undefined;

/** Download for this device, send for another (2.66): the device is made once, and every way to connect it stands there from the first second (P3.3). */
export function ReadyStep({
  setup,
  draft,
  downloads,
  onCreated,
}: {
  setup: Setup;
  draft: Draft;
  downloads: Downloads;
  onCreated: (created: Created) => void;
}) {
  const { create } = useDeviceActions();
  const form = useForm();
  const started = useRef(false);
  const make = () =>
    form.run(async () => {
      onCreated(await create(draft.name, draft.policy));
      return undefined;
    });
  useEffect(() => {
    // Once, also where React mounts twice: a second device would use up a place of the plan.
    if (setup.created || started.current) return;
    started.current = true;
    void make();
  });

  return (
    <>
      <h1>{t.protect(draft.name)}</h1>
      {setup.created ? (
        <Connect created={setup.created} draft={draft} downloads={downloads} />
      ) : (
        <Form state={form} onSubmit={() => void make()}>
          {form.error ? (
            <button type="submit" className="btn">
              {t.auto.again}
            </button>
          ) : (
            <div className="skeleton tall" />
          )}
        </Form>
      )}
      <Link className="alone" to={paths.home} onClick={clearSetup}>
        {t.onward}
      </Link>
    </>
  );
}

function Connect({ created, draft, downloads }: { created: Created; draft: Draft; downloads: Downloads }) {
  // By whichever way it connects: the code is used up then.
  const device = useDevice(created.uuid, 1500);
  const connected = device.data !== undefined && device.data.login_code === undefined;
  if (connected) {
    return (
      <div className="note good stack" role="status">
        <p>
          <strong>{t.auto.connected}</strong>
        </p>
        {draft.machine === 'self' && <p>{t.auto.upgraded}</p>}
      </div>
    );
  }
  return (
    <>
      <p className="soft">{draft.machine === 'self' ? t.ways : t.send}</p>
      <div className="ways">
        {draft.machine === 'self' && <AutoConnect link={{ uri: created.link_uri, signature: created.link_uri_signature }} />}
        {downloads?.(created.login_code)}
        <Ways code={created.login_code} name={draft.name} />
      </div>
    </>
  );
}
