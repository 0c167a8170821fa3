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
 * 1.5: the chat is for whoever is logged in, unless someone else alone supports them. It hears the address of the page it is on,
 * so it is kept off those that anyone may open: the links in mails.
 */
export function useChat(wanted: boolean): void {
  const authenticated = useAuthenticated();
  const { pathname } = useLocation();
  const possible = wanted && config.chat !== null && authenticated && routeAt(pathname)?.access === 'login';
  const { data } = useProfile({ enabled: possible });
  const shown = possible && data !== undefined && !data.third_party_support?.exclusive;
  const { chat } = config;
  useEffect(() => {
    // This also clears a chat that another session left behind.
    if (chat && !authenticated) endChat(chat);
  }, [chat, authenticated]);
  useEffect(() => (chat && shown ? openChat(chat, messages.chatWords, () => call('GET /web/support')) : undefined), [chat, shown]);
}
