import type { ActivityUndo } from '@porchlight/contract/activity-undo.ts';
import { undoButtons } from '@porchlight/contract/undo-buttons.ts';
import { paths } from '../../lib/paths.ts';
import { useConfirm } from '../../ui/confirm-dialog.tsx';
import type { FormState } from '../../ui/form.tsx';
import { Link } from '../../ui/link.tsx';
import { messages } from './messages.ts';
import { type DirectUndo, useUndo } from './queries.ts';

/** `about`: id of the sentence. `onDone`: called before the button disappears. */
export function Undo({
  undo,
  about: sentenceId,
  form,
  onDone,
}: {
  undo: ActivityUndo;
  about: string;
  form: FormState;
  onDone: () => void;
}) {
  if (isDirect(undo)) return <UndoButton undo={undo} about={sentenceId} form={form} onDone={onDone} />;
  return (
    <Link className="btn quiet" to={placeOf(undo)} aria-describedby={sentenceId}>
      {undoButtons[undo.way]}
    </Link>
  );
}

function UndoButton({ undo, about: sentenceId, form, onDone }: { undo: DirectUndo; about: string; form: FormState; onDone: () => void }) {
  const takeBack = useUndo();
  const ask = useConfirm();
  const press = () =>
    form.run(async () => {
      if (undo.way === 'remove_guardian') await ask(messages.askRemove);
      await takeBack(undo);
      onDone();
      return messages.done[undo.way];
    });
  return (
    <button type="button" className="btn quiet" aria-describedby={sentenceId} disabled={form.loading} onClick={() => void press()}>
      {undoButtons[undo.way]}
    </button>
  );
}

const isDirect = (undo: ActivityUndo): undo is DirectUndo => undo.way in messages.done;

function placeOf(undo: Exclude<ActivityUndo, DirectUndo>): string {
  switch (undo.way) {
    case 'edit_profile':
      return paths.policy(undo.policy);
    case 'check_device':
      return paths.device(undo.device);
    case 'invite_again':
      return paths.guardians;
    case 'link_again':
      return paths.addDevice();
    case 'new_pin':
      return paths.adminPin;
    case 'new_password':
      return paths.password;
    case 'check_profile':
      return paths.profile;
    case 'check_sign_in':
      return paths.signIn;
  }
}
