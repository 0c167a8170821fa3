import type { Exception, ExceptionLasts } from '@porchlight/contract/exceptions.ts';
import { limits } from '@porchlight/contract/limits.ts';
import { useEffect, useRef, useState } from 'react';
import { useConfirm } from '../../ui/confirm-dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { askRemoteControl } from './ask-remote-control.ts';
import { Hits } from './hits.tsx';
import { messages } from './messages.ts';
import { useAllowablePrograms, useAllowListActions } from './queries.ts';
import { type Hit, search } from './search.ts';
import './allow-list.css';

/** Looks for a website or a program, and puts it on the list (2.84, 5.22). `listed`: what stands there already. */
export function AddDialog({
  device,
  listed,
  onClose,
  onAdded,
}: {
  device: string;
  listed: Exception[];
  onClose: () => void;
  onAdded: (name: string) => void;
}) {
  const [typed, setTyped] = useState('');
  const [lasts, setLasts] = useState<ExceptionLasts>('hour');
  const programs = useAllowablePrograms();
  const form = useForm();
  const ask = useConfirm();
  const { add } = useAllowListActions(device);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  const close = () => {
    // Closing before unmounting makes the browser return the focus to the opener.
    dialog.current?.close();
    onClose();
  };
  const focus = (what: string) => dialog.current?.querySelector<HTMLElement>(what)?.focus();
  const choose = ({ type, identifier, name, category }: Hit) => {
    if (form.loading) return;
    void form.run(async () => {
      if (category === 'RemoteControl') await askRemoteControl(ask, name);
      await add({ type, identifier, lasts });
      close();
      onAdded(name);
      return undefined;
    });
  };
  return (
    <dialog
      ref={dialog}
      className="allow-dialog"
      aria-labelledby="allow-heading"
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
    >
      <div className="stack">
        <h2 id="allow-heading">{messages.open}</h2>
        <Form state={form} onSubmit={() => focus('.hits button:enabled')} label={messages.open}>
          <Field
            label={messages.search}
            name="search"
            hint={messages.searchHint}
            maxLength={limits.domain_search_max}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={typed}
            onChange={setTyped}
            problem={form.fields.identifier}
          />
          <fieldset className="plain">
            <legend className="label">{messages.lasts}</legend>
            {messages.choices.map(({ value, words }) => (
              <label className="check" key={words}>
                <input type="radio" name="lasts" checked={lasts === value} onChange={() => setLasts(value)} />
                <span>{words}</span>
              </label>
            ))}
          </fieldset>
          <Hits
            found={search(typed, programs.data ?? [], listed)}
            typed={typed}
            programs={programs}
            onChoose={choose}
            onMeant={(website) => {
              setTyped(website);
              // The pressed button is gone, so the focus goes to the field it filled.
              focus('input');
            }}
          />
          <button type="button" className="btn quiet" onClick={close}>
            {messages.cancel}
          </button>
        </Form>
      </div>
    </dialog>
  );
}
