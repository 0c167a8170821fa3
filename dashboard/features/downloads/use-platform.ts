import { useEffect, useState } from 'react';
import { type Platform, thisPlatform } from '../../integrations/platform.ts';

export function usePlatform(): Platform | undefined {
  const [platform, setPlatform] = useState<Platform>();
  useEffect(() => {
    void thisPlatform().then(setPlatform);
  }, []);
  return platform;
}
