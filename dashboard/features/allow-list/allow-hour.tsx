import type { AllowListEntry, AllowListEntryType } from '@porchlight/contract/allow-list.ts';
import type { Category } from '@porchlight/contract/shapes.ts';
import { readWebsite } from '@porchlight/contract/websites.ts';
import { useRef, useState } from 'react';
import { inWords } from '../../lib/dates.ts';
import { mayNotWords } from '../../lib/may-words.ts';
import { paths } from '../../lib/paths.ts';
import { useNow } from '../../lib/use-now.ts';
import { useConfirm } from '../../ui/confirm-dialog.tsx';
import { QuietStatus, useForm } from '../../ui/form.tsx';
import { Link } from '../../ui/link.tsx';
import { askRemoteControl } from './ask-remote-control.ts';
import { asksWords } from './asks-words.ts';
import { messages } from './messages.ts';
import { PasswordQuestion, type PasswordStep } from './password-question.tsx';
import { useAllowablePrograms, useAllowList, useAllowListActions } from './queries.ts';
import { isSameEntry } from './search.ts';

interface AllowHourProps {
  device: { uuid: string; name: string };
  what: { type: AllowListEntryType; identifier: string; name: string; category: Category };
  asked: boolean;
  passwordStep: PasswordStep;
  onNo: () => void;
}

/** Remote control needs a confirmation. */
export function AllowHour({ device, what, asked, passwordStep, onNo }: AllowHourProps) {
  const listed = useAllowList(device.uuid).data;
  const programs = useAllowablePrograms().data;
  const [refused, setRefused] = useState(false);
  const [proving, setProving] = useState(false);
  const now = useNow();
  const form = useForm();
  const ask = useConfirm();
  const { add } = useAllowListActions(device.uuid);
  const resultRef = useRef<HTMLParagraphElement>(null);
  const newEntry = allowListEntryOf(what, programs ?? []);
  const existingEntry = listed?.items.find((one) => newEntry !== null && !one.refused && isSameEntry(one, newEntry));
  const allow = async () => {
    if (newEntry) await add({ ...newEntry, lasts: 'hour' });
    setProving(false);
    onNo();
    resultRef.current?.focus();
  };
  const press = () =>
    form.run(async () => {
      const isRemoteControl = what.category === 'RemoteControl';
      if (isRemoteControl && listed) await askRemoteControl(ask, what.name, listed, 'hour');
      if (isRemoteControl && listed?.remote_control === 'runs_with_password') setProving(true);
      else await allow();
      return undefined;
    });
  const no = () => {
    setRefused(true);
    onNo();
    resultRef.current?.focus();
  };
  if (!listed || !newEntry) return null;
  const suspended = listed.suspended && mayNotWords(listed.suspended, now);
  return (
    <div className={asked && !existingEntry ? 'note look stack no-print' : 'stack no-print'}>
      {asked && !existingEntry && <p>{messages.hour.asked(what.name, device.name)}</p>}
      {suspended && <p className="soft">{suspended}</p>}
      {proving && <PasswordQuestion name={what.name} step={passwordStep} onEntered={allow} onCancel={() => setProving(false)} />}
      {!existingEntry && !proving && (
        <div className="row">
          {!suspended && (
            <button type="button" className="btn quiet" disabled={form.loading} onClick={() => void press()}>
              {messages.hour.allow}
            </button>
          )}
          {asked && (
            <button type="button" className="btn" onClick={no}>
              {messages.hour.no}
            </button>
          )}
        </div>
      )}
      <p ref={resultRef} tabIndex={-1} role="status" className={(existingEntry && !suspended) || refused ? '' : 'sr'}>
        {existingEntry && !suspended ? (
          <Allowed allowed={existingEntry} device={device} />
        ) : (
          refused && messages.hour.refused(what.name, device.name)
        )}
      </p>
      {form.error && <QuietStatus state={form} />}
    </div>
  );
}

function Allowed({ allowed, device }: { allowed: AllowListEntry; device: AllowHourProps['device'] }) {
  const now = useNow();
  const { name, until, waits } = allowed;
  return (
    <>
      {waits
        ? messages.hour.waits(name)
        : `${messages.hour.allowed(name, device.name, messages.until(until && inWords(new Date(until), now)))} ${asksWords(allowed, now) ?? ''}`}{' '}
      <Link to={paths.allowList(device.uuid)}>{messages.hour.list}</Link>
    </>
  );
}

/** The allow-list entry for a stopped program or site; null if it cannot be allowed. */
function allowListEntryOf({ type, identifier }: AllowHourProps['what'], programs: { identifier: string }[]) {
  if (type === 'domain') {
    const website = readWebsite(identifier);
    return website === null ? null : { type, identifier: website };
  }
  return programs.some((one) => one.identifier === identifier) ? { type, identifier } : null;
}
