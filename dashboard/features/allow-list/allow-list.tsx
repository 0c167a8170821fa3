import type { Exception } from '@porchlight/contract/exceptions.ts';
import { limits } from '@porchlight/contract/limits.ts';
import { useId, useRef, useState } from 'react';
import { inWords } from '../../lib/dates.ts';
import { useNow } from '../../lib/use-now.ts';
import { Form, useForm } from '../../ui/form.tsx';
import { Loading } from '../../ui/loading.tsx';
import { AddDialog } from './add-dialog.tsx';
import { t } from './messages.ts';
import { useExceptionActions, useExceptions } from './queries.ts';

/** What is not stopped on a device (2.82 to 2.88). */
export function AllowList({ device }: { device: string }) {
  const exceptions = useExceptions(device);
  const [adding, setAdding] = useState(false);
  const form = useForm(limits.allow_list_success_shown);
  const list = useRef<HTMLDivElement>(null);
  const { remove } = useExceptionActions(device);
  const onRemove = ({ id, name }: Exception) =>
    form.run(async () => {
      await remove(id);
      // Its button is gone, so the focus needs another place.
      list.current?.focus();
      return t.removed(name);
    });
  return (
    <div className="stack-l">
      <p>{t.lead}</p>
      <p className="note look">{t.warning}</p>
      <Loading of={exceptions} height={200}>
        {(items) => (
          <>
            <Form state={form} onSubmit={() => setAdding(true)} label={t.open}>
              <button type="submit" className="btn">
                {t.open}
              </button>
            </Form>
            <div ref={list} tabIndex={-1} role="group" aria-label={t.list}>
              {items.length ? (
                <ul className="stack">
                  {items.map((item) => (
                    <li key={item.id}>
                      <Row item={item} onRemove={() => void onRemove(item)} />
                    </li>
                  ))}
                </ul>
              ) : (
                <p>{t.empty}</p>
              )}
            </div>
            {adding && (
              <AddDialog
                device={device}
                listed={items}
                onClose={() => setAdding(false)}
                onAdded={(name) => void form.run(async () => t.added(name))}
              />
            )}
          </>
        )}
      </Loading>
    </div>
  );
}

function Row({ item, onRemove }: { item: Exception; onRemove: () => void }) {
  const { type, name, added, until } = item;
  const now = useNow();
  const nameId = useId();
  const end = until ? inWords(new Date(until), now).replace('tomorrow 12:00 AM', 'midnight') : null;
  return (
    <div className="card row between">
      <div>
        <strong id={nameId}>{name}</strong> <span className="tag look">{t.type[type]}</span>
        <br />
        <span className="soft">
          {t.since(inWords(new Date(added), now))}, {t.until(end)}
        </span>
      </div>
      <button type="button" className="linklike" aria-describedby={nameId} onClick={onRemove}>
        {t.remove}
      </button>
    </div>
  );
}
