import type { Exception, ExceptionType } from '@porchlight/contract/exceptions.ts';
import type { Category } from '@porchlight/contract/shapes.ts';
import { readWebsite } from '@porchlight/contract/websites.ts';
import { useRef, useState } from 'react';
import { Link } from 'react-router';
import { inWords } from '../../lib/dates.ts';
import { paths } from '../../lib/paths.ts';
import { useNow } from '../../lib/use-now.ts';
import { useConfirm } from '../../ui/confirm-dialog.tsx';
import { QuietStatus, useForm } from '../../ui/form.tsx';
import { askRemoteControl } from './ask-remote-control.ts';
import { messages } from './messages.ts';
import { useAllowablePrograms, useAllowList, useAllowListActions } from './queries.ts';
import { same } from './search.ts';

interface AllowHourProps {
  device: { uuid: string; name: string };
  what: { type: ExceptionType; identifier: string; name: string; category: Category };
  /** Someone at that computer asked, and the holder has not answered yet. */
  asked: boolean;
  onNo: () => void;
}

/** What was stopped, allowed for an hour with one press, remote control with one more question; and the answer to someone who asked for it. */
export function AllowHour({ device, what, asked, onNo }: AllowHourProps) {
  const listed = useAllowList(device.uuid).data;
  const programs = useAllowablePrograms().data;
  const [refused, setRefused] = useState(false);
  const form = useForm();
  const ask = useConfirm();
  const { add } = useAllowListActions(device.uuid);
  const said = useRef<HTMLParagraphElement>(null);
  const known = knownAs(what, programs ?? []);
  const allowed = listed?.find((one) => known !== null && same(one, known));
  const allow = () =>
    form.run(async () => {
      if (!known) return undefined;
      if (what.category === 'RemoteControl') await askRemoteControl(ask, what.name);
      await add({ ...known, lasts: 'hour' });
      onNo();
      // The pressed button is gone, so the focus goes to the message in its place.
      said.current?.focus();
      return undefined;
    });
  const no = () => {
    setRefused(true);
    onNo();
    said.current?.focus();
  };
  if (!listed || !known) return null;
  return (
    <div className={asked && !allowed ? 'note look stack no-print' : 'stack no-print'}>
      {asked && !allowed && <p>{messages.hour.asked(what.name, device.name)}</p>}
      {!allowed && (
        <div className="row">
          <button type="button" className="btn quiet" disabled={form.loading} onClick={() => void allow()}>
            {messages.hour.allow}
          </button>
          {asked && (
            <button type="button" className="btn" onClick={no}>
              {messages.hour.no}
            </button>
          )}
        </div>
      )}
      <p ref={said} tabIndex={-1} role="status" className={allowed || refused ? '' : 'sr'}>
        {allowed ? <Allowed allowed={allowed} device={device} /> : refused && messages.hour.refused(what.name, device.name)}
      </p>
      {form.error && <QuietStatus state={form} />}
    </div>
  );
}

function Allowed({ allowed: { name, until }, device }: { allowed: Exception; device: AllowHourProps['device'] }) {
  const now = useNow();
  return (
    <>
      {messages.hour.allowed(name, device.name, messages.until(until && inWords(new Date(until), now)))}{' '}
      <Link to={paths.allowList(device.uuid)}>{messages.hour.list}</Link>
    </>
  );
}

/** The allow-list entry for it; null where it cannot be allowed. */
function knownAs({ type, identifier }: AllowHourProps['what'], programs: { identifier: string }[]) {
  if (type === 'domain') {
    const website = readWebsite(identifier);
    return website === null ? null : { type, identifier: website };
  }
  return programs.some((one) => one.identifier === identifier) ? { type, identifier } : null;
}
