import { SharePage } from '../features/devices/share-page.tsx';
import { DownloadButtons } from '../features/downloads/download-buttons.tsx';
import { FooterMore } from '../ui/footer.tsx';
import { optional } from '../ui/optional.tsx';

const StandingUpdateButton = optional(async () => (await import('./standing-update-button.tsx')).StandingUpdateButton);

export function ShareApp({ code }: { code: string }) {
  return (
    <FooterMore value={<StandingUpdateButton />}>
      <SharePage code={code} downloads={(shownCode) => <DownloadButtons code={shownCode} />} />
    </FooterMore>
  );
}
