/** The support chat: a Chatwoot of the operator (1.5, 7.41). */

export interface Chat {
  base_url: string;
  website_token: string;
}

/** 3.17 */
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

/** What the script of the chat puts on the page, as far as we use it. */
interface ChatWindow {
  chatwootSettings?: object;
  chatwootSDK?: { run(options: { baseUrl: string; websiteToken: string }): void };
  $chatwoot?: { setUser?(identifier: string, user: object): void; reset?(): void };
}

const page = window as unknown as ChatWindow;
const frameId = 'chatwoot_live_chat_widget';

/** Loads the chat and says who is asking. A chat that does not come is one warning on the console, no more (8.18). Answers how to end it. */
export function openChat(chat: Chat, words: ChatWords, whoIsIt: () => Promise<Identity>): () => void {
  let open = true;
  forget();
  const warn = (why: unknown) => open && console.warn('The support chat could not be loaded.', why);
  const introduce = async () => {
    const { name, email, hash } = await whoIsIt();
    if (open) page.$chatwoot?.setUser?.(email, { name, email, ...(hash ? { identifier_hash: hash } : {}) });
  };
  const ready = () => void introduce().catch(warn);
  window.addEventListener('chatwoot:ready', ready);

  // One way to write to us, and nothing beside it: no second window.
  page.chatwootSettings = { type: 'standard', position: 'right', darkMode: 'auto', locale: 'en', showPopoutButton: false, ...words };
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
    window.removeEventListener('chatwoot:ready', ready);
    endChat(chat);
    script.remove();
  };
}

/** The next person at this computer must not find the conversation. */
export function endChat({ website_token }: Chat): void {
  const { $chatwoot } = page;
  try {
    $chatwoot?.reset?.();
  } catch {
    // The chat had not loaded far enough to reset.
  }
  forget();
  if ($chatwoot) leaveSilentFrame();
  for (const name of ['cw_conversation', `cw_user_${website_token}`]) document.cookie = `${name}=; path=/; max-age=0`;
}

/** As if its script had never come. */
function forget(): void {
  for (const element of document.querySelectorAll(`.woot-widget-holder, .woot--bubble-holder, #${frameId}`)) element.remove();
  delete page.$chatwoot;
  delete page.chatwootSDK;
  delete page.chatwootSettings;
}

/** What the script has left listening still speaks to its frame, on each page and at each change of size, and fails where there is none. This one is empty. */
function leaveSilentFrame(): void {
  const frame = document.createElement('iframe');
  frame.id = frameId;
  frame.hidden = true;
  document.body.append(frame);
  page.$chatwoot = {};
}
