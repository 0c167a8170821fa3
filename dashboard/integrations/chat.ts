/** The operator's Chatwoot (1.5, 7.41). */

export interface Chat {
  base_url: string;
  website_token: string;
}

/** Clause 3.17. */
export interface Identity {
  name: string;
  email: string;
  hash: string | null;
}

export interface ChatWords {
  welcomeTitle: string;
  welcomeDescription: string;
  availableMessage: string;
  unavailableMessage: string;
  launcherTitle: string;
}

interface ChatWindow {
  chatwootSettings?: object;
  chatwootSDK?: { run(options: { baseUrl: string; websiteToken: string }): void };
  $chatwoot?: { setUser?(identifier: string, user: object): void; reset?(): void };
}

const page = window as unknown as ChatWindow;
const frameId = 'chatwoot_live_chat_widget';

/** Loads the chat and identifies the user. A failure is only a console warning (8.18). Returns a function that closes it. */
export function openChat(chat: Chat, texts: ChatWords, whoIsIt: () => Promise<Identity>): () => void {
  let open = true;
  removeConversation();
  const warn = (cause: unknown) => open && console.warn('The support chat could not be loaded.', cause);
  const introduce = async () => {
    const { name, email, hash } = await whoIsIt();
    if (open) page.$chatwoot?.setUser?.(email, { name, email, ...(hash ? { identifier_hash: hash } : {}) });
  };
  const onReady = () => void introduce().catch(warn);
  window.addEventListener('chatwoot:ready', onReady);

  page.chatwootSettings = { type: 'standard', position: 'right', darkMode: 'auto', locale: 'en', showPopoutButton: false, ...texts };
  const script = document.createElement('script');
  script.src = `${chat.base_url}/packs/js/sdk.js`;
  script.async = true;
  script.onload = () => {
    if (!open) return;
    try {
      if (!page.chatwootSDK) throw new Error('its script has no chat in it');
      page.chatwootSDK.run({ baseUrl: chat.base_url, websiteToken: chat.website_token });
    } catch (err) {
      warn(err);
    }
  };
  script.onerror = () => warn('its script did not come');
  document.head.append(script);

  return () => {
    open = false;
    window.removeEventListener('chatwoot:ready', onReady);
    endChat(chat);
    script.remove();
  };
}

/** The next user of this computer must not see the conversation. */
export function endChat({ website_token }: Chat): void {
  const { $chatwoot } = page;
  try {
    $chatwoot?.reset?.();
  } catch {
    // The chat had not loaded far enough to reset.
  }
  removeConversation();
  if ($chatwoot) leaveSilentFrame();
  for (const name of ['cw_conversation', `cw_user_${website_token}`]) document.cookie = `${name}=; path=/; max-age=0`;
}

function removeConversation(): void {
  for (const element of document.querySelectorAll(`.woot-widget-holder, .woot--bubble-holder, #${frameId}`)) element.remove();
  delete page.$chatwoot;
  delete page.chatwootSDK;
  delete page.chatwootSettings;
}

/** Listeners of the removed script still post to its frame, and fail without one; this frame is empty. */
function leaveSilentFrame(): void {
  const frame = document.createElement('iframe');
  frame.id = frameId;
  frame.hidden = true;
  document.body.append(frame);
  page.$chatwoot = {};
}
