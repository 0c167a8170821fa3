import { useSaveAtOnce } from '../lib/use-save-at-once.ts';
import { useConfirm } from './confirm-dialog.tsx';
import { type FormState, useForm } from './form.tsx';

type Question = Parameters<ReturnType<typeof useConfirm>>[0];

/** `choose` resolves to whether the choice was saved. */
export interface AskedChoice<Saved extends object> {
  form: FormState;
  shown: Saved;
  choose(choice: Partial<Saved>, question: Question | null): Promise<boolean>;
}

/** Choices that are saved at once. The arrow keys choose a radio button in passing, so what weakens protection is asked first. */
export function useAskedChoice<Saved extends object>(
  saved: Saved,
  change: (to: Partial<Saved>) => Promise<unknown>,
  savedMessage: string,
): AskedChoice<Saved> {
  const form = useForm();
  const ask = useConfirm();
  const { shown, save } = useSaveAtOnce(saved, change);
  const agrees = (question: Question) =>
    ask(question).then(
      () => true,
      () => false,
    );
  const choose = async (choice: Partial<Saved>, question: Question | null) => {
    if (question && !(await agrees(question))) return false;
    let isSaved = false;
    await form.run(async () => {
      await save(choice);
      isSaved = true;
      return savedMessage;
    });
    return isSaved;
  };
  return { form, shown, choose };
}
