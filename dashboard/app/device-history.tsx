import type { Detection } from '@porchlight/contract/detections.ts';
import type { Category } from '@porchlight/contract/shapes.ts';
import { lazy } from 'react';
import { useSearchParams } from 'react-router';
import { AllowHour } from '../features/allow-list/allow-hour.tsx';
import { AlertHistory } from '../features/detections/alert-history.tsx';
import { messages } from '../features/detections/messages.ts';
import { paths } from '../lib/paths.ts';
import { Link } from '../ui/link.tsx';

export const PasswordStep = lazy(async () => ({ default: (await import('../features/holding/password-step.tsx')).PasswordStep }));

export function DeviceHistory({ device }: { device: string }) {
  const allow = useAllow();
  return (
    <>
      <AlertHistory device={device} extra={allow} />
      <p className="no-print">
        <Link className="alone" to={paths.history}>
          {messages.ofAll}
        </Link>
      </p>
    </>
  );
}

const listed: Category[] = ['RemoteControl', 'DeceptiveUtility', 'ScamWebsite'];

/** Allows a stopped program for an hour, from its alert. The email about a user's request links here, and the holder can refuse it. */
export function useAllow() {
  const [search, setSearch] = useSearchParams();
  const askedDetection = search.has('asked') ? search.get('detectionId') : null;
  const clearQuery = () =>
    setSearch(
      (now) => {
        now.delete('asked');
        return now;
      },
      { replace: true },
    );
  return ({ uuid, device_id, device_name, info }: Detection) => {
    const { site, name, identifier } = info;
    const category = listed.find((one) => one === info.category);
    // What is on no list is answered where it waits, and never allowed.
    if (!category) return null;
    const entry = site ? { type: 'domain' as const, identifier: name } : { type: 'definition' as const, identifier };
    return (
      <AllowHour
        device={{ uuid: device_id, name: device_name }}
        what={{ ...entry, name, category }}
        asked={uuid === askedDetection}
        passwordStep={PasswordStep}
        onNo={clearQuery}
      />
    );
  };
}
