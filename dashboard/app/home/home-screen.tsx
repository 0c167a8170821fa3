import { firstName } from '@porchlight/contract/names.ts';
import { useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { useProfile } from '../../features/accounts/queries.ts';
import { poll as detectionsPoll, useDetections } from '../../features/detections/queries.ts';
import { DeviceList } from '../../features/devices/device-list.tsx';
import { listPoll as devicesPoll, useDevices } from '../../features/devices/queries.ts';
import { isLate, LatePaymentNote } from '../../features/subscriptions/late-payment.tsx';
import { useSubscription } from '../../features/subscriptions/queries.ts';
import { clock, partOfDay } from '../../lib/dates.ts';
import { deviceLimitOf } from '../../lib/device-limit.ts';
import { HttpError } from '../../lib/http.ts';
import { paths } from '../../lib/paths.ts';
import { isValid, mayBuy } from '../../lib/plan.ts';
import { safeSentence } from '../../lib/safe-sentence.ts';
import { useFreshness } from '../../lib/use-freshness.ts';
import { useNow } from '../../lib/use-now.ts';
import { useTitle } from '../../lib/use-title.ts';
import { Loading } from '../../ui/loading.tsx';
import { StatePanel } from '../../ui/state-panel.tsx';
import { SideCards } from './cards.tsx';
import { messages } from './messages.ts';
import { StateButtons } from './state-buttons.tsx';

export function HomeScreen() {
  const profile = useProfile();
  const devices = useDevices();
  const detections = useDetections();
  const { data: plan } = useSubscription();
  const late = isLate(useLocation().state) && !plan?.subscribed;
  const now = useNow();
  const freshness = useFreshness(
    now,
    { at: devices.dataUpdatedAt, poll: devicesPoll },
    { at: detections.dataUpdatedAt, poll: detectionsPoll },
  );
  const alerts = detections.data?.items;
  const named = devices.data?.map((device) => ({ ...device, name: device.name || device.info.name }));
  const failed = devices.error ?? detections.error;
  const [trouble, setTrouble] = useState<unknown>(null);
  // Said until the next answer or the next press, not taken back each time that the page asks again by itself.
  const [answered, setAnswered] = useState<unknown>(null);
  if (failed && failed !== trouble) setTrouble(failed);
  const known = named && alerts;
  const unreached = !known && trouble instanceof HttpError && trouble.status === null;
  const news = { devices: known && named, alerts: alerts ?? [], now, freshness, plan: !plan || isValid(plan) };
  const safe = known || unreached ? safeSentence(news) : undefined;
  useTitle(safe?.title);
  const again = () => {
    setAnswered(trouble);
    void devices.refetch();
    void detections.refetch();
  };
  const waiting = { data: undefined, error: failed ?? (trouble === answered ? null : trouble), refetch: again };
  const seen = detections.data?.items.find(({ uuid }) => uuid === safe?.alert?.uuid)?.seen?.[0];
  const newest = detections.data && (detections.data.items[0]?.info.last_time ?? 'none');
  const newestKnown = useRef(newest);
  const { refetch } = devices;
  // A new alert is news of its device too.
  useEffect(() => {
    if (newestKnown.current && newest && newest !== newestKnown.current) void refetch();
    newestKnown.current = newest;
  }, [newest, refetch]);
  return (
    <div className="wrap">
      <h1>{messages.hello(partOfDay(now), firstName(profile.data?.name ?? ''))}</h1>
      <p className="soft">{profile.data && messages.signedIn(profile.data.email)}</p>
      {safe ? (
        <StatePanel safe={safe} freshness={freshness} now={now} label={messages.safe}>
          <StateButtons safe={safe} />
          {!known && <Loading of={waiting}>{() => null}</Loading>}
          {seen && <p className="soft">{messages.seenBy(seen.name, clock(new Date(seen.time)))}</p>}
        </StatePanel>
      ) : (
        <div className="state-place">
          <Loading of={waiting}>{() => null}</Loading>
        </div>
      )}
      {late && <LatePaymentNote />}
      {/* What stands below the sentence comes with it, so that nothing moves when it does. */}
      {(safe || trouble !== null) && (
        <div className="cols">
          <DeviceList
            alerts={alerts}
            limit={plan ? deviceLimitOf(plan) : 0}
            whenEmpty={
              mayBuy(plan) && (
                <>
                  <p>{messages.subscribeLead}</p>
                  <Link className="btn quiet" to={paths.subscribe}>
                    {messages.subscribe}
                  </Link>
                </>
              )
            }
          />
          <SideCards devices={devices.data?.length} />
        </div>
      )}
    </div>
  );
}
