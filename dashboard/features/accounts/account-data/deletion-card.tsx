import { limits } from '@porchlight/contract/limits.ts';
import { useRef } from 'react';
import { pages, paths } from '../../../lib/paths.ts';
import { useNow } from '../../../lib/use-now.ts';
import { useTimed } from '../../../lib/use-timed.ts';
import { Form, useForm } from '../../../ui/form.tsx';
import { Link } from '../../../ui/link.tsx';
import { Loading } from '../../../ui/loading.tsx';
import { SupportContacts } from '../../../ui/support.tsx';
import { usePasswordDialog } from '../profile/password-dialog.tsx';
import { deletionMessages } from './deletion-messages.ts';
import { deletionDay, deletionMoment } from './deletion-time.ts';
import { messages } from './messages.ts';
import { useChangeDeletion, useDeletion } from './queries.ts';

/** P13.2: the end of the account, or how to take it back while it waits. */
export function DeletionCard() {
  const deletion = useDeletion();
  const card = useRef<HTMLElement>(null);
  const [stays, showStays] = useTimed<true>(limits.success_shown);
  // The pressed button disappears with its half of the card.
  const focusCard = () => card.current?.focus();
  return (
    <section className="card stack" aria-labelledby="deletion" ref={card} tabIndex={-1}>
      <p role="status" className={stays ? 'note good' : 'sr'}>
        {stays && deletionMessages.stays}
      </p>
      <Loading of={deletion} height={560}>
        {({ deletes }) =>
          deletes ? (
            <WaitingDeletion
              deletes={new Date(deletes)}
              onStopped={() => {
                showStays(true);
                focusCard();
              }}
            />
          ) : (
            <AskForDeletion onAsked={focusCard} />
          )
        }
      </Loading>
    </section>
  );
}

function AskForDeletion({ onAsked }: { onAsked: () => void }) {
  const words = messages.deletion;
  const form = useForm();
  const { ask } = useChangeDeletion();
  const { withPassword, dialog } = usePasswordDialog();
  const submit = () =>
    form.run(async () => {
      await withPassword(ask, words.ask);
      onAsked();
      return undefined;
    });
  return (
    <>
      <h2 id="deletion">{words.heading}</h2>
      <p>{words.lead}</p>
      <ul className="dots stack">
        {words.what.map((line) => (
          <li key={line}>{line}</li>
        ))}
        <li>
          {words.backups} <a href={pages.privacy}>{words.privacy}</a>
        </li>
      </ul>
      <p className="note look">
        {words.scam} <SupportContacts />
      </p>
      <Form state={form} onSubmit={() => void submit()} label={words.heading}>
        {/* Never disabled, because the dialog returns the focus to it. The form itself ignores a second press. */}
        <button type="submit" className="btn danger full">
          {words.button}
        </button>
      </Form>
      {dialog}
    </>
  );
}

function WaitingDeletion({ deletes, onStopped }: { deletes: Date; onStopped: () => void }) {
  const words = messages.waiting;
  const now = useNow();
  const form = useForm();
  const { stop } = useChangeDeletion();
  const day = deletionDay(deletes, now);
  const keep = () =>
    form.run(async () => {
      await stop();
      onStopped();
      return undefined;
    });
  return (
    <>
      <h2 id="deletion">{deletionMessages.heading(day)}</h2>
      <p>{day ? words.until(deletionMoment(deletes, now)) : words.due}</p>
      <p>{words.after}</p>
      <Form state={form} onSubmit={() => void keep()} label={deletionMessages.keep}>
        <button type="submit" className="btn big" disabled={form.loading}>
          {deletionMessages.keep}
        </button>
      </Form>
      <p>
        {words.notYou}{' '}
        <Link className="alone" to={paths.password}>
          {words.newPassword}
        </Link>
      </p>
    </>
  );
}
