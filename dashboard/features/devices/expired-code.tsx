import type { CreatedDevice, Device } from '@porchlight/contract/devices.ts';
import { Form, useForm } from '../../ui/form.tsx';
import { messages } from './messages.ts';
import { useDeviceActions } from './queries.ts';

export function codeExpired({ login_code, login_code_expires }: Pick<Device, 'login_code' | 'login_code_expires'>, now: Date): boolean {
  return login_code !== undefined && login_code_expires !== undefined && new Date(login_code_expires) <= now;
}

export function ExpiredCode({ uuid, name, onMade }: { uuid: string; name: string; onMade: (created: CreatedDevice) => void }) {
  const form = useForm();
  const { newCode } = useDeviceActions();
  const make = () =>
    form.run(async () => {
      onMade(await newCode(uuid));
      return undefined;
    });
  return (
    <Form state={form} onSubmit={() => void make()}>
      <p>
        {messages.expired} {messages.expiredAsk}
      </p>
      <button type="submit" className="btn" aria-label={messages.newCodeOf(name)} disabled={form.loading}>
        {messages.newCode}
      </button>
    </Form>
  );
}
