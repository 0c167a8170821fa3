import type { Passkey } from '@porchlight/contract/sign-in-methods.ts';
import { useId, useRef } from 'react';
import { browserHasPasskeys, createPasskey } from '../../../integrations/passkeys.ts';
import { inWords } from '../../../lib/dates.ts';
import { useNow } from '../../../lib/use-now.ts';
import { Form, useForm } from '../../../ui/form.tsx';
import { usePasswordDialog } from '../profile/password-dialog.tsx';
import { messages } from './messages.ts';
import { usePasskeyCalls } from './queries.ts';
import type { NewCodes } from './shown-codes.tsx';

export function Passkeys({ passkeys, onCodes }: { passkeys: Passkey[]; onCodes: (codes: NewCodes) => void }) {
  const words = messages.passkeys;
  const form = useForm();
  const heading = useRef<HTMLHeadingElement>(null);
  const { begin, add, remove } = usePasskeyCalls();
  const { withPassword, dialog } = usePasswordDialog();
  const onAdd = () =>
    form.run(async () => {
      let options = {};
      await withPassword(async (proof) => {
        options = await begin(proof);
      }, words.askAdd);
      const codes = await add(await createPasskey(options));
      if (codes) onCodes({ codes, done: words.done });
      return words.done;
    });
  const onRemove = ({ uuid, name }: Passkey) =>
    form.run(async () => {
      await withPassword((proof) => remove({ uuid, proof }), words.askRemove(name));
      heading.current?.focus();
      return words.removed;
    });
  return (
    <section className="card stack" aria-labelledby="passkeys">
      <h2 id="passkeys" ref={heading} tabIndex={-1}>
        {words.heading}
      </h2>
      <p>{words.lead}</p>
      <Form state={form} onSubmit={() => void onAdd()} label={words.heading}>
        {passkeys.length > 0 && (
          <ul className="sign-in-rows">
            {passkeys.map((passkey) => (
              <PasskeyRow key={passkey.uuid} passkey={passkey} onRemove={() => form.loading || void onRemove(passkey)} />
            ))}
          </ul>
        )}
        {browserHasPasskeys() ? (
          <button type="submit" className={passkeys.length > 0 ? 'btn quiet' : 'btn'}>
            {words.add}
          </button>
        ) : (
          <p className="soft">{words.unable}</p>
        )}
      </Form>
      {dialog}
    </section>
  );
}

/** The button is never disabled, because it gets the focus back when its dialog closes. */
function PasskeyRow({ passkey, onRemove }: { passkey: Passkey; onRemove: () => unknown }) {
  const words = messages.passkeys;
  const now = useNow();
  const id = useId();
  const { name, created, last_used } = passkey;
  const added = inWords(new Date(created), now);
  return (
    <li className="row between" aria-labelledby={id}>
      <span>
        <strong id={id}>{name}</strong>
        <br />
        <span className="soft">
          {words.added(added)} {last_used ? words.lastUsed(inWords(new Date(last_used), now)) : words.neverUsed}
        </span>
      </span>
      <button type="button" className="btn quiet" aria-label={words.removeOf(name, added)} onClick={onRemove}>
        {words.remove}
      </button>
    </li>
  );
}
