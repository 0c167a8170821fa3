import type { CreatedDevice } from '@porchlight/contract/devices.ts';
import { type ReactNode, useEffect, useRef } from 'react';
import { HttpError } from '../../../lib/http.ts';
import { paths } from '../../../lib/paths.ts';
import { useNow } from '../../../lib/use-now.ts';
import { Form, useForm } from '../../../ui/form.tsx';
import { Link } from '../../../ui/link.tsx';
import { codeExpired, ExpiredCode } from '../expired-code.tsx';
import { messages } from '../messages.ts';
import { useDevice, useDeviceActions } from '../queries.ts';
import { AutoConnect } from './auto-connect.tsx';
import { type Created, clearSetup, type Draft, type Setup } from './draft.ts';
import { LogOutHere } from './log-out-here.tsx';
import { Ways } from './ways.tsx';

/** Asks whether the user of the new device may be called. */
export type CallConsentOf = (device: { uuid: string; name: string; person: Draft['person'] }) => ReactNode;

type Downloads = ((code: string) => ReactNode) | undefined;

/** The device is created once, and all ways to connect it are available immediately (2.66, P3.3). */
export function ReadyStep({
  setup: { created },
  draft,
  downloads,
  callConsent,
  resolverOffer,
  onCreated,
  onReplaceDraft,
  onRemoved,
  onLogOut,
}: {
  setup: Setup;
  draft: Draft;
  downloads: Downloads;
  callConsent: CallConsentOf;
  /** Asks who looks up website names. */
  resolverOffer: ReactNode;
  onCreated: (draft: string, created: Created) => void;
  /** The draft that replaces a removed device; null if it is obsolete. */
  onReplaceDraft: (draft: Draft) => Draft | null;
  onRemoved: (draft: Draft) => void;
  onLogOut: () => void;
}) {
  const { name, policy, person } = draft;
  const { create, update } = useDeviceActions();
  const form = useForm();
  const started = useRef(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const matchingDevice = created?.name === name && created.policy === policy && isSame(created.person, person) ? created : null;
  /** Going back to change name or profile updates the created device: a second one would use up a seat of the plan. */
  const updateDevice = async (createdDevice: Created) => {
    try {
      await update({ uuid: createdDevice.uuid, name, policy, ...(isSame(createdDevice.person, person) ? {} : { person }) });
      onCreated(draft.id, { ...createdDevice, name, policy, person });
    } catch (err) {
      if (!isGone(err)) throw err;
      const newDraft = onReplaceDraft(draft);
      if (newDraft) await createDevice(newDraft);
    }
  };
  const createDevice = async (sourceDraft: Draft) => onCreated(sourceDraft.id, { ...(await create(sourceDraft)), name, policy, person });
  const make = () =>
    form.run(async () => {
      await (created ? updateDevice(created) : createDevice(draft));
      return undefined;
    });
  useEffect(() => {
    // React's strict mode mounts twice.
    if (matchingDevice || started.current) return;
    started.current = true;
    void make();
  });

  return (
    <>
      <h1 ref={heading} tabIndex={-1}>
        {messages.protect(name)}
      </h1>
      {matchingDevice ? (
        <Connect
          created={matchingDevice}
          draft={draft}
          downloads={downloads}
          onRenewed={(newCode) => {
            onCreated(draft.id, { ...newCode, name, policy, person: draft.person });
            heading.current?.focus();
          }}
          onRemoved={onRemoved}
        />
      ) : (
        <Form state={form} onSubmit={() => void make()}>
          {form.error ? (
            <>
              <button type="submit" className="btn">
                {messages.tryAgain}
              </button>
              <Link className="alone" to={paths.addDevice('policy')}>
                {messages.person.change}
              </Link>
            </>
          ) : (
            <div className="skeleton tall" />
          )}
        </Form>
      )}
      {matchingDevice && callConsent({ uuid: matchingDevice.uuid, name, person })}
      {matchingDevice && resolverOffer}
      {draft.machine === 'self' && person?.is_holder === false && <LogOutHere onLogOut={onLogOut} />}
      <Link className="alone" to={paths.home} onClick={clearSetup}>
        {messages.onward}
      </Link>
    </>
  );
}

const isSame = (a: Draft['person'], b: Draft['person']) => JSON.stringify(a) === JSON.stringify(b);

function isGone(err: unknown): boolean {
  return err instanceof HttpError && err.status === 404;
}

interface ConnectProps {
  created: Created;
  draft: Draft;
  downloads: Downloads;
  onRenewed: (created: CreatedDevice) => void;
  onRemoved: (draft: Draft) => void;
}

function Connect({ created, draft, downloads, onRenewed, onRemoved }: ConnectProps) {
  // The device list shows a used code, however the device connected.
  const device = useDevice(created.uuid, 1500);
  const now = useNow();
  const gone = isGone(device.error);
  useEffect(() => {
    if (gone) onRemoved(draft);
  });
  const connected = device.data !== undefined && device.data.login_code === undefined;
  if (connected) {
    return (
      <div className="note good stack" role="status">
        {draft.machine === 'self' && <p>{messages.auto.upgraded}</p>}
        <p>
          <strong>{messages.auto.connected}</strong>
        </p>
      </div>
    );
  }
  if (device.data && codeExpired(device.data, now)) return <ExpiredCode uuid={created.uuid} name={draft.name} onMade={onRenewed} />;
  return (
    <>
      <p className="soft">{draft.machine === 'self' ? messages.ways : messages.send}</p>
      <div className="ways">
        {draft.machine === 'self' && <AutoConnect link={{ uri: created.link_uri, signature: created.link_uri_signature }} />}
        {downloads?.(created.login_code)}
        <Ways code={created.login_code} name={draft.name} until={device.data?.login_code_expires} />
      </div>
    </>
  );
}
