import type { DashboardConfig } from '@porchlight/contract/dashboard-config.ts';
import type { OutsideOrigins } from './content-policy.ts';

/** The settings, as far as they are about third parties. */
interface ThirdParties {
  chat: { base_url: string; website_token: string; identity_key: string } | null;
  error_reporting: { dsn: string } | null;
  analytics: { url: string; domain: string } | null;
}

/** What the page is told; the key of the chat stays here. */
export function pageSettings({
  chat,
  error_reporting,
  analytics,
}: ThirdParties): Pick<DashboardConfig, 'chat' | 'error_reporting' | 'analytics'> {
  return { chat: chat && { base_url: chat.base_url, website_token: chat.website_token }, error_reporting, analytics };
}

/** What the page may load. The chat is a script and a frame and fetches its sound; the other two are only sent to. */
export function originsOf({ chat, error_reporting, analytics }: ThirdParties): OutsideOrigins {
  const at = (url: string | undefined) => (url ? [new URL(url).origin] : []);
  return {
    script: at(chat?.base_url),
    frame: at(chat?.base_url),
    connect: [...new Set([...at(chat?.base_url), ...at(error_reporting?.dsn), ...at(analytics?.url)])],
  };
}
