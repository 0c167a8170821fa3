import type { Device } from '@porchlight/contract/devices.ts';
import { firstName } from '@porchlight/contract/names.ts';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { useProfile } from '../../features/accounts/queries.ts';
import { pollMs as detectionsPoll, useDetections } from '../../features/detections/queries.ts';
import { DeviceList } from '../../features/devices/device-list.tsx';
import { listPoll as devicesPoll, useDevices } from '../../features/devices/queries.ts';
import { NeedHelp } from '../../features/emergency/need-help.tsx';
import { useGuardians } from '../../features/guardians/queries.ts';
import { useIncidents } from '../../features/incidents/queries.ts';
import { isLate, LatePaymentNote } from '../../features/subscriptions/late-payment.tsx';
import { useSubscription } from '../../features/subscriptions/queries.ts';
import { partOfDay } from '../../lib/calendar.ts';
import { config } from '../../lib/config.ts';
import { clock } from '../../lib/dates.ts';
import { deviceLimitOf } from '../../lib/device-limit.ts';
import { HttpError } from '../../lib/http.ts';
import { paths } from '../../lib/paths.ts';
import { isValid, mayBuy } from '../../lib/plan.ts';
import { safeSentence } from '../../lib/safe-sentence.ts';
import { unreachedFacts, unreachedLinks } from '../../lib/unreached-messages.ts';
import { useFreshness } from '../../lib/use-freshness.ts';
import { useNow } from '../../lib/use-now.ts';
import { useTitle } from '../../lib/use-title.ts';
import { Link } from '../../ui/link.tsx';
import { Loading } from '../../ui/loading.tsx';
import { StatePanel } from '../../ui/state-panel.tsx';
import { Helping, WaitingRequests } from '../lazy-screen.tsx';
import { SideCards } from './cards.tsx';
import { messages } from './messages.ts';
import { OtherLinks, StateButtons } from './state-buttons.tsx';

/** Enough to find those that are open among them. */
const INCIDENTS_READ = 10;

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
  const namedDevices = devices.data?.map((device) => ({ ...device, name: device.name || device.info.name }));
  const loadError = devices.error ?? detections.error;
  const [shownError, setShownError] = useState<unknown>(null);
  // An error is shown until the next answer or press; polling does not clear it.
  const [answeredError, setAnsweredError] = useState<unknown>(null);
  if (loadError && loadError !== shownError) setShownError(loadError);
  const loadedAlerts = namedDevices && alerts;
  const unreached = !loadedAlerts && shownError instanceof HttpError && shownError.status === null;
  const openIncidents = useIncidents(1, INCIDENTS_READ).data?.items.filter(({ state }) => state === 'open');
  const { data: guardians = [] } = useGuardians(config.features.guardians);
  const unreachedPeople = unreachedFacts(guardians, profile.data);
  const sentenceInput = {
    ...{ devices: loadedAlerts && namedDevices, alerts: alerts ?? [], now, freshness },
    ...{ plan: !plan || isValid(plan), incidents: openIncidents },
    unreached: unreachedPeople,
  };
  const safeState = loadedAlerts || unreached ? safeSentence(sentenceInput) : undefined;
  const links = unreachedLinks(loadedAlerts ? unreachedPeople : [], safeState?.sentence);
  useTitle(safeState?.title);
  const reload = () => {
    setAnsweredError(shownError);
    void devices.refetch();
    void detections.refetch();
  };
  const pendingData = { data: undefined, error: loadError ?? (shownError === answeredError ? null : shownError), refetch: reload };
  const shownAlert = detections.data?.items.find(({ uuid }) => uuid === safeState?.alert?.uuid);
  const acknowledgement = shownAlert?.seen?.[0];
  const openIncident = openIncidents?.find(({ device }) => device.uuid === safeState?.alert?.device) ?? openIncidents?.[0];
  // The alert names its own incident, since the list of incidents may be older than the alerts.
  const incident = shownAlert?.incident ?? openIncident?.uuid;
  const newest = detections.data && (detections.data.items[0]?.info.last_time ?? 'none');
  const newestKnown = useRef(newest);
  const { refetch } = devices;
  useEffect(() => {
    if (newestKnown.current && newest && newest !== newestKnown.current) void refetch();
    newestKnown.current = newest;
  }, [newest, refetch]);
  return (
    <div className="wrap">
      <h1>{messages.hello(partOfDay(now), firstName(profile.data?.name ?? ''))}</h1>
      <p className="soft">{profile.data && messages.signedIn(profile.data.email)}</p>
      {safeState ? (
        <StatePanel safe={safeState} freshness={freshness} now={now} label={messages.safe} end={<OtherLinks links={links.others} />}>
          <StateButtons safe={safeState} incident={incident} link={links.first} />
          {!loadedAlerts && <Loading of={pendingData}>{() => null}</Loading>}
          {acknowledgement && <p className="soft">{messages.seenBy(acknowledgement.name, clock(new Date(acknowledgement.time)))}</p>}
        </StatePanel>
      ) : (
        <div className="state-place">
          <Loading of={pendingData}>{() => null}</Loading>
        </div>
      )}
      <WaitingRequests />
      <Helping />
      {(safeState || shownError !== null) && <HomeHelp devices={namedDevices ?? []} />}
      {late && <LatePaymentNote />}
      {/* Appears together with the sentence above it, to avoid a layout shift. */}
      {(safeState || shownError !== null) && (
        <div className="cols">
          <DeviceList
            alerts={alerts}
            waiting={(device) => <WaitingRequests device={device} line />}
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

/** *I need help now*, for the computers that are installed. */
function HomeHelp({ devices }: { devices: Device[] }) {
  const { data: guardians = [] } = useGuardians(config.features.guardians);
  const names = guardians.filter(({ active, unreachable }) => active && !unreachable).map(({ name }) => name.split(' ')[0] ?? name);
  return <NeedHelp devices={devices.filter(({ login_code }) => !login_code)} guardians={names} />;
}
