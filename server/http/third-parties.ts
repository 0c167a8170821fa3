import type { DashboardConfig } from '@porchlight/contract/dashboard-config.ts';
import type { AllowedOrigins } from './content-policy.ts';

interface ThirdParties {
  chat: { base_url: string; website_token: string; identity_key: string } | null;
  error_reporting: { dsn: string } | null;
  analytics: { url: string; domain: string } | null;
}

/** Settings for the page, without the chat's key. */
export function pageSettings({
  chat,
  error_reporting,
  analytics,
}: ThirdParties): Pick<DashboardConfig, 'chat' | 'error_reporting' | 'analytics'> {
  return { chat: chat && { base_url: chat.base_url, website_token: chat.website_token }, error_reporting, analytics };
}

/** The chat is a script and a frame and fetches its sound; the other third parties only receive data. */
export function originsOf({ chat, error_reporting, analytics }: ThirdParties): AllowedOrigins {
  const originOf = (url: string | undefined) => (url ? [new URL(url).origin] : []);
  return {
    script: originOf(chat?.base_url),
    frame: originOf(chat?.base_url),
    connect: [...new Set([...originOf(chat?.base_url), ...originOf(error_reporting?.dsn), ...originOf(analytics?.url)])],
  };
}
