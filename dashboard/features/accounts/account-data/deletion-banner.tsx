import { limits } from '@porchlight/contract/limits.ts';
import { useNow } from '../../../lib/use-now.ts';
import { useTimed } from '../../../lib/use-timed.ts';
import { useForm } from '../../../ui/form.tsx';
import { deletionMessages } from './deletion-messages.ts';
import { deletionDay } from './deletion-time.ts';
import { useChangeDeletion, useDeletion } from './queries.ts';

/** While the account waits for its deletion, one press on any page keeps it (P13.2). */
export function DeletionBanner({ enabled }: { enabled: boolean }) {
  const { data } = useDeletion(enabled);
  const { stop } = useChangeDeletion();
  const now = useNow();
  const form = useForm();
  const [stays, showStays] = useTimed<true>(limits.success_shown);
  const keep = () =>
    form.run(async () => {
      await stop();
      showStays(true);
      // The pressed button disappears.
      document.querySelector('main')?.focus({ preventScroll: true });
      return undefined;
    });
  const deletes = data?.deletes;
  if (!deletes && !stays) return null;
  const words = deletes ? `${deletionMessages.heading(deletionDay(new Date(deletes), now))}.` : deletionMessages.stays;
  return (
    <div className="banner no-print" role="status">
      <div className="wrap">
        <span>
          {words} {deletes && form.error}
        </span>
        {deletes && (
          <button type="button" className="btn quiet" disabled={form.loading} onClick={() => void keep()}>
            {deletionMessages.keep}
          </button>
        )}
      </div>
    </div>
  );
}
