import type { Device } from '@porchlight/contract/devices.ts';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { paths } from '../../lib/paths.ts';
import { Check } from '../../ui/field.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { SupportContacts } from '../../ui/support.tsx';
import { t } from './messages.ts';
import { useDeviceActions } from './queries.ts';

export function RemoveDevice({ device }: { device: Device }) {
  const [understood, setUnderstood] = useState(false);
  const form = useForm();
  const navigate = useNavigate();
  const { remove } = useDeviceActions();
  const submit = () => {
    if (!understood || !window.confirm(t.removal.sure(device.name || device.info.name))) return;
    void form.run(async () => {
      await remove(device.uuid);
      await navigate(paths.home);
      return undefined;
    });
  };
  return (
    <div className="stack">
      <p>{t.removal.uninstall}</p>
      <p>{t.removal.only}</p>
      <p>{t.removal.erases}</p>
      <p className="note look">
        {t.removal.scam} <SupportContacts />
      </p>
      <Form state={form} onSubmit={submit} label={t.removal.tab}>
        <Check name="understood" checked={understood} onChange={setUnderstood}>
          {t.removal.understand}
        </Check>
        <button type="submit" className="btn danger full" disabled={!understood || form.loading}>
          {t.removal.button}
        </button>
      </Form>
    </div>
  );
}
