import type { AllowListDuration, AllowListEntry } from '@porchlight/contract/allow-list.ts';
import { limits } from '@porchlight/contract/limits.ts';
import { useEffect, useRef, useState } from 'react';
import { useConfirm } from '../../ui/confirm-dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { type AllowingFacts, askRemoteControl } from './ask-remote-control.ts';
import { Hits } from './hits.tsx';
import { messages } from './messages.ts';
import { PasswordQuestion, type PasswordStep } from './password-question.tsx';
import { useAllowablePrograms, useAllowListActions } from './queries.ts';
import { type Hit, search } from './search.ts';
import './allow-list.css';

/** Searches for a website or a program and adds it (2.84, 5.22). `listed`: the present entries. */
export function AddDialog({
  device,
  listed,
  facts,
  passwordStep,
  onClose,
  onAdded,
}: {
  device: string;
  listed: AllowListEntry[];
  facts: AllowingFacts;
  passwordStep: PasswordStep;
  onClose: () => void;
  /** `isAsked`: whether its first start is stopped and asked about. */
  onAdded: (name: string, isAsked: boolean) => void;
}) {
  const [typedText, setTypedText] = useState('');
  const [duration, setDuration] = useState<AllowListDuration>(null);
  /** The program that is allowed once the password was entered. */
  const [proving, setProving] = useState<Hit | null>(null);
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
  const focus = (selector: string) => dialog.current?.querySelector<HTMLElement>(selector)?.focus();
  const allow = async ({ type, identifier, name, category }: Hit) => {
    // A website is allowed for good (4.35). Without an end the body has nothing but what 7.26 names.
    await add({ type, identifier, ...(type === 'domain' || duration === null ? {} : { lasts: duration }) });
    close();
    onAdded(name, category === 'RemoteControl' && !facts.suspended && facts.remote_control === 'asks');
  };
  const choose = (hit: Hit) => {
    if (form.loading) return;
    void form.run(async () => {
      const isRemoteControl = hit.category === 'RemoteControl';
      if (isRemoteControl) await askRemoteControl(ask, hit.name, facts, duration);
      if (isRemoteControl && facts.remote_control === 'runs_with_password') setProving(hit);
      else await allow(hit);
      return undefined;
    });
  };
  const found = search(typedText, programs.data ?? [], listed);
  const hasProgram = found.hits.some(({ type, allowed }) => type === 'definition' && !allowed);
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
        {proving ? (
          <PasswordQuestion name={proving.name} step={passwordStep} onEntered={() => allow(proving)} onCancel={close} />
        ) : (
          <Form state={form} onSubmit={() => focus('.hits button:enabled')} label={messages.open}>
            <Field
              label={messages.search}
              name="search"
              hint={messages.searchHint}
              maxLength={limits.domain_search_max}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              value={typedText}
              onChange={setTypedText}
              problem={form.fields.identifier}
            />
            {hasProgram && (
              <fieldset className="plain">
                <legend className="label">{messages.lasts}</legend>
                {messages.choices.map(({ value, words }) => (
                  <label className="check" key={words}>
                    <input type="radio" name="lasts" checked={duration === value} onChange={() => setDuration(value)} />
                    <span>{words}</span>
                  </label>
                ))}
              </fieldset>
            )}
            <Hits
              found={found}
              typed={typedText}
              programs={programs}
              onChoose={choose}
              onMeant={(website) => {
                setTypedText(website);
                focus('input');
              }}
            />
            <button type="button" className="btn quiet" onClick={close}>
              {messages.cancel}
            </button>
          </Form>
        )}
      </div>
    </dialog>
  );
}
