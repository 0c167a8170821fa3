import type { Profile } from '@porchlight/contract/accounts.ts';
import type { HolderProof } from '@porchlight/contract/sign-in-methods.ts';
import { useState } from 'react';
import { config } from '../../../lib/config.ts';
import { FormError } from '../../../lib/error-text.ts';
import { useDraft } from '../../../lib/use-draft.ts';
import { Field } from '../../../ui/field.tsx';
import { Form, useForm } from '../../../ui/form.tsx';
import { LazyPhoneField } from '../../../ui/phone/phone-field-lazy.tsx';
import { messages } from './messages.ts';
import { usePasswordDialog } from './password-dialog.tsx';
import { useSaveProfile } from './queries.ts';

type Values = { name: string; email: string; phone: string };

/** `onPhoneSaved`: gets the saved profile after a change of the number (4.26). */
export function ProfileForm({ profile, onPhoneSaved }: { profile: Profile; onPhoneSaved: (savedProfile: Profile) => void }) {
  // Only edited fields are state; the others follow the profile, which another screen may change.
  const [editedValues, setEditedValues] = useDraft<Partial<Values>>('profile', {});
  const [phoneProblem, setPhoneProblem] = useState<string | null>(null);
  const form = useForm();
  const save = useSaveProfile();
  const { withPassword, dialog } = usePasswordDialog();
  const savedValues: Values = { name: profile.name, email: profile.email, phone: profile.phone_number ?? '' };
  const { name, email, phone } = { ...savedValues, ...editedValues };
  const set = (field: keyof Values) => (value: string) => setEditedValues((previousValues) => ({ ...previousValues, [field]: value }));

  const submit = () =>
    form.run(async () => {
      if (config.features.sms && phoneProblem) throw new FormError({ phone_number: phoneProblem });
      const phoneChanged = config.features.sms && phone !== savedValues.phone;
      let updatedProfile: Profile | undefined;
      const attempt = async (proof: HolderProof) => {
        const phoneChange = phoneChanged ? { phone_number: phone || null } : {};
        updatedProfile = await save({ name, email: email.trim(), ...proof, ...phoneChange });
      };
      if (phoneChanged || email.trim() !== savedValues.email) await withPassword(attempt);
      else await attempt({ current_password: null });
      setEditedValues({});
      if (phoneChanged && updatedProfile) onPhoneSaved(updatedProfile);
      return messages.saved;
    });

  return (
    <>
      <section className="card">
        <Form state={form} onSubmit={() => void submit()} label={messages.save}>
          <Field label={messages.name} name="name" autoComplete="name" value={name} onChange={set('name')} problem={form.fields.name} />
          <Field
            label={messages.email}
            name="email"
            type="email"
            autoComplete="email"
            value={email}
            onChange={set('email')}
            problem={form.fields.email}
          />
          {config.features.sms && (
            <LazyPhoneField
              label={messages.phone}
              name="phone_number"
              value={phone}
              onChange={set('phone')}
              onProblem={setPhoneProblem}
              {...(form.fields.phone_number ? { problem: form.fields.phone_number } : {})}
              hint={messages.phoneHint}
            />
          )}
          {/* Never disabled, because the dialog returns the focus to it. The form itself ignores a second press. */}
          <button type="submit" className="btn big">
            {messages.save}
          </button>
        </Form>
      </section>
      {dialog}
    </>
  );
}
