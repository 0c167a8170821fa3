import { useState } from 'react';
import { FormError } from '../../../lib/error-text.ts';
import { Field } from '../../../ui/field.tsx';
import { Form, useForm } from '../../../ui/form.tsx';
import { messages } from './ended-messages.ts';

/** Opens the page on the home screen with the link of an email, which a phone opens only in its browser. */
export function OpenByLink() {
  const [link, setLink] = useState('');
  const form = useForm();
  const submit = () =>
    form.run(async () => {
      window.location.assign(ownPath(link));
      return undefined;
    });
  return (
    <Form state={form} onSubmit={() => void submit()} label={messages.homeScreen.heading}>
      <Field
        label={messages.homeScreen.link}
        name="link"
        type="url"
        autoComplete="off"
        value={link}
        onChange={setLink}
        problem={form.fields.link}
      />
      <button type="submit" className="btn" disabled={form.loading}>
        {messages.homeScreen.open}
      </button>
    </Form>
  );
}

/** Only a guardian's page of this server opens, whatever was pasted. */
function ownPath(link: string): string {
  const url = URL.parse(link.trim());
  const isOwn = url?.origin === window.location.origin && /^\/dashboard\/guardian\/[\w-]+\/[\w-]+$/.test(url.pathname);
  if (!isOwn) throw new FormError({ link: messages.homeScreen.wrong });
  return url.pathname;
}
