import { DeletionCard } from './deletion-card.tsx';
import { DownloadCard } from './download-card.tsx';
import '../accounts.css';

/** P13.2. */
export function YourData() {
  return (
    <div className="stack-l">
      <DownloadCard />
      <DeletionCard />
    </div>
  );
}
