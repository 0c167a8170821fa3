import type { AlertSettings, OutageDays } from '@porchlight/contract/alert-settings.ts';
import { type ReactNode, useState } from 'react';
import { config } from '../../lib/config.ts';
import { FormError } from '../../lib/error-text.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { Check } from '../../ui/field.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { Loading } from '../../ui/loading.tsx';
import { messages } from './messages.ts';
import { useAlertSettings } from './queries.ts';

const days = [1, 3, 7] as const satisfies OutageDays[];

/** `push`: alerts in this browser, which change at once. */
export function AlertSettingsForm({ push }: { push: ReactNode }) {
  const { settings, change } = useAlertSettings();
  return (
    <section className="card stack" aria-labelledby="alert-settings">
      <h2 id="alert-settings">{messages.heading}</h2>
      <Loading of={settings} height={320}>
        {(savedSettings) => <Fields saved={savedSettings} change={change} />}
      </Loading>
      {push}
    </section>
  );
}

function Fields({
  saved: savedSettings,
  change: saveSettings,
}: {
  saved: AlertSettings;
  change: (to: Partial<AlertSettings>) => Promise<unknown>;
}) {
  const [editedSettings, setEditedSettings] = useDraft<Partial<AlertSettings>>('alert-settings', {});
  const [problem, setProblem] = useState<string>();
  const form = useForm();
  const { mail, sms, weekly, every_week, notify_after_days } = { ...savedSettings, ...editedSettings };
  const set = (newSettings: Partial<AlertSettings>) => {
    setProblem(undefined);
    setEditedSettings((previousSettings) => ({ ...previousSettings, ...newSettings }));
  };
  const submit = () =>
    form.run(async () => {
      if (!mail && !sms) {
        setProblem(messages.keepOne);
        throw new FormError({ mail: messages.keepOne });
      }
      await saveSettings(editedSettings);
      setEditedSettings({});
      return messages.saved;
    });
  return (
    <Form state={form} onSubmit={() => void submit()} label={messages.heading}>
      <fieldset className="plain">
        <legend className="label">{messages.ways}</legend>
        <Check name="mail" checked={mail} onChange={(on) => set({ mail: on })} problem={problem}>
          {messages.mail}
        </Check>
        {config.features.sms && (
          <Check name="sms" checked={sms} onChange={(on) => set({ sms: on })}>
            {messages.sms}
          </Check>
        )}
        <Check name="weekly" checked={weekly} onChange={(on) => set({ weekly: on })}>
          {messages.weekly}
        </Check>
        {weekly && (
          <Check name="every_week" checked={every_week} onChange={(on) => set({ every_week: on })}>
            {messages.everyWeek}
          </Check>
        )}
      </fieldset>
      <fieldset className="plain">
        <legend className="label">{messages.days}</legend>
        {days.map((n) => (
          <label key={n} className="choice">
            <input type="radio" name="notify_after_days" checked={notify_after_days === n} onChange={() => set({ notify_after_days: n })} />
            <span>{messages.day[n]}</span>
          </label>
        ))}
        <p className="soft small">{messages.dayHint}</p>
      </fieldset>
      <button type="submit" className="btn">
        {messages.save}
      </button>
    </Form>
  );
}
