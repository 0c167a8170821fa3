import type { Device } from '@porchlight/contract/devices.ts';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { paths } from '../../lib/paths.ts';
import { Check } from '../../ui/field.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { SupportContacts } from '../../ui/support.tsx';
import { messages } from './messages.ts';
import { useDeviceActions } from './queries.ts';

export function RemoveDevice({ device }: { device: Device }) {
  const [understood, setUnderstood] = useState(false);
  const form = useForm();
  const navigate = useNavigate();
  const { remove } = useDeviceActions();
  const submit = () => {
    if (!understood || !window.confirm(messages.removal.sure(device.name || device.info.name))) return;
    void form.run(async () => {
      await remove(device.uuid);
      await navigate(paths.home);
      return undefined;
    });
  };
  return (
    <div className="stack">
      <p>{messages.removal.uninstall}</p>
      <p>{messages.removal.only}</p>
      <p>{messages.removal.erases}</p>
      <p className="note look">
        {messages.removal.scam} <SupportContacts />
      </p>
      <Form state={form} onSubmit={submit} label={messages.removal.tab}>
        <Check name="understood" checked={understood} onChange={setUnderstood}>
          {messages.removal.understand}
        </Check>
        <button type="submit" className="btn danger full" disabled={!understood || form.loading}>
          {messages.removal.button}
        </button>
      </Form>
    </div>
  );
}
