import type { AllowListEntry } from '@porchlight/contract/allow-list.ts';
import { limits } from '@porchlight/contract/limits.ts';
import { useId, useRef, useState } from 'react';
import { inWords } from '../../lib/dates.ts';
import { mayNotWords } from '../../lib/may-words.ts';
import { useNow } from '../../lib/use-now.ts';
import { Form, useForm } from '../../ui/form.tsx';
import { Loading } from '../../ui/loading.tsx';
import { AddDialog } from './add-dialog.tsx';
import { asksWords } from './asks-words.ts';
import { messages } from './messages.ts';
import type { PasswordStep } from './password-question.tsx';
import { useAllowList, useAllowListActions } from './queries.ts';

/** `passwordStep`: asks for the password or a passkey, and then runs `onEntered`. */
export function AllowList({ device, passwordStep }: { device: string; passwordStep: PasswordStep }) {
  const exceptions = useAllowList(device);
  const [adding, setAdding] = useState(false);
  const now = useNow();
  const form = useForm(limits.allow_list_success_shown);
  const list = useRef<HTMLDivElement>(null);
  const { remove } = useAllowListActions(device);
  const onRemove = ({ id, name }: AllowListEntry) =>
    form.run(async () => {
      await remove(id);
      list.current?.focus();
      return messages.removed(name);
    });
  return (
    <div className="stack-l">
      <p>{messages.lead}</p>
      <p className="note look">{messages.warning}</p>
      <Loading of={exceptions} height={200}>
        {({ items, ...facts }) => (
          <>
            {facts.suspended && <p className="note look">{mayNotWords(facts.suspended, now)}</p>}
            <Form state={form} onSubmit={() => setAdding(true)} label={messages.open}>
              <button type="submit" className="btn">
                {messages.open}
              </button>
            </Form>
            <div ref={list} tabIndex={-1} role="group" aria-label={messages.list}>
              {items.length ? (
                <ul className="stack">
                  {items.map((item) => (
                    <li key={item.id}>
                      <Row item={item} onRemove={() => void onRemove(item)} />
                    </li>
                  ))}
                </ul>
              ) : (
                <p>{messages.empty}</p>
              )}
            </div>
            {adding && (
              <AddDialog
                device={device}
                listed={items.filter(({ refused }) => !refused)}
                facts={facts}
                passwordStep={passwordStep}
                onClose={() => setAdding(false)}
                onAdded={(name, isAsked) => void form.run(async () => messages.added(name, isAsked))}
              />
            )}
          </>
        )}
      </Loading>
    </div>
  );
}

function Row({ item: entry, onRemove }: { item: AllowListEntry; onRemove: () => void }) {
  const { type, name, added, until, waits, refused } = entry;
  const now = useNow();
  const nameId = useId();
  const asks = asksWords(entry, now);
  const endText = until ? endWords(new Date(until), now) : null;
  return (
    <div className="card row between">
      <div>
        <strong id={nameId}>{name}</strong> <span className="tag look">{messages.type[type]}</span>
        <br />
        <span className="soft">
          {refused && messages.refused(refused.by, inWords(new Date(refused.time), now))}
          {waits && messages.waits(inWords(new Date(added), now))}
          {!refused && !waits && `${messages.since(inWords(new Date(added), now))}, ${messages.until(endText)}`}
          {asks && (
            <>
              <br />
              {asks}
            </>
          )}
        </span>
      </div>
      <button type="button" className="linklike" aria-describedby={nameId} onClick={onRemove}>
        {refused ? messages.dismiss : messages.remove}
      </button>
    </div>
  );
}

/** An entry for today ends at the next midnight. */
function endWords(until: Date, now: Date): string {
  const midnight = new Date(now);
  midnight.setHours(24, 0, 0, 0);
  return until.getTime() === midnight.getTime() ? messages.midnight : inWords(until, now);
}
