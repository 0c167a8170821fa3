import { t } from './download-texts.ts';
import { usePlatform } from './use-platform.ts';

/** Says that this computer cannot be protected, where that is so (2.71, 8.19, 9.11). */
export function CompatibilityWarning() {
  const platform = usePlatform();
  if (!platform || platform.supported) return null;
  return (
    <p className="note look" role="status">
      {t.compatibility(platform.description)}
    </p>
  );
}
