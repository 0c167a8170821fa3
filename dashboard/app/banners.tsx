import { DeletionBanner } from '../features/accounts/account-data/deletion-banner.tsx';
import { useKnownProfile } from '../features/accounts/queries.ts';
import { phoneNumberRequiresVerification } from '../features/accounts/rules.ts';
import { messages as emergencyMessages } from '../features/emergency/holder-messages.ts';
import { type HolderEmergency, useEmergency } from '../features/emergency/queries.ts';
import { useIncidents } from '../features/incidents/queries.ts';
import { config } from '../lib/config.ts';
import { atMoment, inWords } from '../lib/dates.ts';
import { paths } from '../lib/paths.ts';
import { useNow } from '../lib/use-now.ts';
import { Link } from '../ui/link.tsx';
import { messages } from './messages.ts';
import { ServerState } from './server-state.tsx';

/** Enough to find those that are open among them. */
const INCIDENTS_READ = 10;

/** `registering`: hides the email banner, since the screen itself mentions the email (2.130). */
export function Banners({ registering }: { registering: boolean }) {
  return (
    <ServerState>
      <WaitingDeletion />
      {!registering && config.features.unverified_banner && <UnverifiedBanner />}
      <PhoneBanner />
      <EmergencyBanners />
    </ServerState>
  );
}

/** On open pages it waits for a guard to load the profile, as the others do. */
function WaitingDeletion() {
  return <DeletionBanner enabled={useKnownProfile().data !== undefined} />;
}

function UnverifiedBanner() {
  const { data } = useKnownProfile();
  if (!data || data.email_verified) return null;
  return <Banner words={messages.unverified} to={paths.verifyEmail} link={messages.verify} />;
}

/** Shown until the phone number is verified (2.45). */
function PhoneBanner() {
  const { data } = useKnownProfile();
  if (!data || !phoneNumberRequiresVerification(data, config.features)) return null;
  return <Banner words={messages.unverifiedPhone} to={paths.verifyPhone} link={messages.verifyPhone} />;
}

/** What is in force at once: a guardian's stop, a call for help, the internet cut (P10.6). */
function EmergencyBanners() {
  const { data: profile } = useKnownProfile();
  const confirmed = profile !== undefined && (profile.email_verified || !config.features.email_check);
  const { data } = useEmergency(confirmed);
  if (!data || data.stops.length + data.isolations.length === 0) return null;
  return <InForce emergency={data} />;
}

function InForce({ emergency: { stops, isolations } }: { emergency: HolderEmergency }) {
  const now = useNow();
  const { data: incidents, isPending } = useIncidents(1, INCIDENTS_READ);
  const open = incidents?.items.filter(({ state }) => state === 'open') ?? [];
  /** Null until the incidents are known: a quick press would lead to the history. */
  const pathTo = (device: string | undefined) => {
    if (isPending) return null;
    const incident = open.find((one) => one.device.uuid === device) ?? open[0];
    return incident ? paths.incident(incident.uuid) : paths.history;
  };
  const words = emergencyMessages.banner;
  const until = (time: string) => inWords(new Date(time), now);
  return (
    <>
      {stops.map(({ uuid, by, until: end, device }) => (
        <Banner
          key={uuid}
          words={device ? words.help(device.name, by, until(end)) : words.stop(by, until(end))}
          to={pathTo(device?.uuid)}
          link={words.see}
        />
      ))}
      {isolations.map(({ device, ...isolation }) => (
        <Banner
          key={isolation.uuid}
          words={words.isolation(isolation, device.name, atMoment(new Date(isolation.until), now))}
          to={pathTo(device.uuid)}
          link={words.see}
        />
      ))}
    </>
  );
}

/** `to`: null without a link as yet. */
function Banner({ words: text, to, link }: { words: string; to: string | null; link: string }) {
  return (
    <div className="banner no-print" role="status">
      <div className="wrap">
        <span>{text}</span>
        {to !== null && (
          <Link className="alone" to={to}>
            {link}
          </Link>
        )}
      </div>
    </div>
  );
}
