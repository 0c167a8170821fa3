import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { useProfile } from '../../features/accounts/queries.ts';
import { endChat, openChat } from '../../integrations/chat.ts';
import { call } from '../../lib/call.ts';
import { config } from '../../lib/config.ts';
import { useAuthenticated } from '../../lib/session.ts';
import { routeAt } from './location.ts';
import { messages } from './messages.ts';

/**
 * 1.5: the chat is for logged-in users, unless a third party alone supports them. It receives the page's address, so it is not on
 * pages that are open to anyone, whose links come from emails.
 */
export function useChat(wanted: boolean): void {
  const authenticated = useAuthenticated();
  const { pathname } = useLocation();
  const possible = wanted && config.chat !== null && authenticated && routeAt(pathname)?.access === 'login';
  const { data } = useProfile({ enabled: possible });
  const shown = possible && data !== undefined && !data.third_party_support?.exclusive;
  const { chat } = config;
  useEffect(() => {
    if (chat && !authenticated) endChat(chat);
  }, [chat, authenticated]);
  useEffect(() => (chat && shown ? openChat(chat, messages.chatWords, () => call('GET /web/support')) : undefined), [chat, shown]);
}
