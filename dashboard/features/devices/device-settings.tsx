import type { Device, Person } from '@porchlight/contract/devices.ts';
import { limits } from '@porchlight/contract/limits.ts';
import type { PolicyId } from '@porchlight/contract/policies.ts';
import { type ReactNode, useRef, useState } from 'react';
import { atMoment } from '../../lib/dates.ts';
import { FormError } from '../../lib/error-text.ts';
import { limitationAdvice, limitationSentences } from '../../lib/limitation-messages.ts';
import { outageMessage } from '../../lib/outage-messages.ts';
import { paths } from '../../lib/paths.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { useNow } from '../../lib/use-now.ts';
import { Field } from '../../ui/field.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { Link } from '../../ui/link.tsx';
import type { PolicyChoice } from './add/draft.ts';
import { Ways } from './add/ways.tsx';
import { codeExpired, ExpiredCode } from './expired-code.tsx';
import { messages } from './messages.ts';
import { PersonChoice } from './person-choice.tsx';
import { useDeviceActions } from './queries.ts';

interface DeviceSettingsProps {
  device: Device;
  policyChoice: PolicyChoice;
  /** Whether its user may be called. */
  callConsent: ReactNode;
}

/** Name, user (P8.1) and protection profile (2.80); before the installation also the ways to connect. */
export function DeviceSettings({ device, policyChoice, callConsent }: DeviceSettingsProps) {
  // Unedited fields follow the device: its profile may be removed meanwhile.
  const [editedValues, setEditedValues] = useDraft<{ name?: string; policy?: PolicyId; person?: Person }>(`device:${device.uuid}`, {});
  const { name = device.name || device.info.name, policy = device.policy, person = device.person } = editedValues;
  const [phoneProblem, setPhoneProblem] = useState<string | null>(null);
  // The server calls the names of device and person `name`; the device's was validated above.
  const ofPerson = person?.is_holder === false && name.trim() !== '';
  const now = useNow();
  const form = useForm();
  const code = useForm();
  const connect = useRef<HTMLHeadingElement>(null);
  const { update, newCode } = useDeviceActions();
  const submit = () =>
    form.run(async () => {
      if (!name.trim()) throw new FormError({ name: messages.policy.nameNeeded });
      if (phoneProblem) throw new FormError({ phone_number: phoneProblem });
      await update({ uuid: device.uuid, name: name.trim(), policy, ...(editedValues.person ? { person: editedValues.person } : {}) });
      setEditedValues({});
      return messages.settings.saved;
    });
  const renew = () =>
    code.run(async () => {
      await newCode(device.uuid);
      return undefined;
    });
  return (
    <div className="stack-l">
      {device.leaves && <p className="note bad">{messages.settings.leaves(atMoment(new Date(device.leaves), now))}</p>}
      {device.outage?.kind === 'no_definitions' && (
        <p className="note bad">{messages.outage(device.name, outageMessage(device.outage, now))}</p>
      )}
      {device.strict_until && <p className="note look">{messages.settings.firstDay(atMoment(new Date(device.strict_until), now))}</p>}
      {device.limitations && (
        <p className="note look">{[...limitationSentences(device.limitations), limitationAdvice(device.limitations)].join(' ')}</p>
      )}
      <Form state={form} onSubmit={() => void submit()} label={messages.settings.tab}>
        <Field
          label={messages.policy.name}
          name="name"
          maxLength={limits.name_max}
          autoComplete="off"
          value={name}
          onChange={(value) => setEditedValues({ ...editedValues, name: value })}
          problem={ofPerson ? undefined : form.fields.name}
        />
        <PersonChoice
          value={person}
          onChange={(newPerson) => setEditedValues({ ...editedValues, person: newPerson })}
          onPhoneProblem={setPhoneProblem}
          problems={{ name: ofPerson ? form.fields.name : undefined, phone_number: form.fields.phone_number }}
        />
        {policyChoice(policy, (value) => setEditedValues({ ...editedValues, policy: value }))}
        <p>
          <Link className="alone" to={paths.policies}>
            {messages.policy.change}
          </Link>
        </p>
        <button type="submit" className="btn" disabled={form.loading}>
          {messages.settings.save}
        </button>
      </Form>
      {callConsent}
      {device.login_code && (
        <section className="stack" aria-labelledby="connect">
          <h2 id="connect" ref={connect} tabIndex={-1}>
            {messages.settings.connectHeading}
          </h2>
          {codeExpired(device, now) ? (
            <ExpiredCode uuid={device.uuid} name={device.name} onMade={() => connect.current?.focus()} />
          ) : (
            <>
              <Ways code={device.login_code} name={device.name} until={device.login_code_expires} />
              <Form state={code} onSubmit={() => void renew()}>
                <button type="submit" className="btn quiet">
                  {messages.newCode}
                </button>
              </Form>
            </>
          )}
        </section>
      )}
    </div>
  );
}
