/** Code of the fake chat, which browsers get as text: it cannot use anything outside its functions. */

interface ChatPage {
  chatwootSettings?: Record<string, unknown>;
  chatwootSDK?: { run(options: { baseUrl: string; websiteToken: string }): void };
  $chatwoot?: { isOpen?: boolean; hasLoaded?: boolean; setUser?(identifier: string, user: object): void; reset?(): void };
  chatLog?: string[];
}

/** `/packs/js/sdk.js`. Like the real one it keeps listening after its frame is gone, and then fails. */
export function chatScript(): void {
  const page = window as unknown as ChatPage;
  page.chatLog = [...(page.chatLog ?? []), `settings ${page.chatwootSettings ? 'before' : 'after'} the script`];
  const logMessage = (message: string) => page.chatLog?.push(message);
  const forget = (token: string) => {
    for (const name of ['cw_conversation', `cw_user_${token}`]) document.cookie = `${name}=; path=/; max-age=0`;
  };
  const send = (event: string, data: object = {}) => {
    if (!page.$chatwoot) throw new Error('the chat is gone');
    const frame = document.getElementById('chatwoot_live_chat_widget') as HTMLIFrameElement;
    (frame.contentWindow as Window).postMessage(`chatwoot-widget:${JSON.stringify({ event, ...data })}`, '*');
  };
  const run = ({ baseUrl, websiteToken }: { baseUrl: string; websiteToken: string }) => {
    if (page.$chatwoot || document.getElementById('chatwoot_live_chat_widget')) return;
    const settings = page.chatwootSettings ?? {};
    const widget = `${baseUrl}/widget?website_token=${websiteToken}`;
    const frame = document.createElement('iframe');
    page.$chatwoot = {
      isOpen: false,
      hasLoaded: false,
      setUser(identifier, user) {
        logMessage('setUser');
        const userCookie = `cw_user_${websiteToken}=${encodeURIComponent(JSON.stringify({ identifier, user }))}`;
        // The script introduces each user once.
        if (document.cookie.split('; ').includes(userCookie)) return;
        document.cookie = `${userCookie}; path=/; max-age=31536000`;
        send('set-user', { identifier, user });
      },
      reset() {
        logMessage('reset');
        forget(websiteToken);
        frame.src = widget;
      },
    };
    frame.id = 'chatwoot_live_chat_widget';
    frame.title = 'Chat';
    const conversation = /(?:^|; )cw_conversation=([^;]+)/.exec(document.cookie)?.[1];
    frame.src = conversation ? `${widget}&cw_conversation=${conversation}` : widget;
    const createElement = (className: string, css: string) => Object.assign(document.createElement('div'), { className, style: css });
    const holder = createElement('woot-widget-holder', 'position:fixed;right:20px;bottom:100px;width:300px;height:400px;display:none');
    holder.append(frame);
    const bubbles = createElement('woot--bubble-holder', '');
    const bubble = document.createElement('button');
    bubble.style.cssText = 'position:fixed;right:20px;bottom:20px;width:64px;height:64px;z-index:2147483000';
    bubble.title = String(settings.launcherTitle);
    bubble.onclick = () => {
      holder.style.display = holder.style.display ? '' : 'none';
    };
    bubbles.append(bubble);
    document.body.append(bubbles);
    document.body.append(holder);
    window.onmessage = ({ data }: MessageEvent) => {
      if (data !== 'chatwoot-widget:{"event":"loaded"}') return;
      document.cookie = 'cw_conversation=conversation-1; path=/; max-age=31536000';
      if (page.$chatwoot) page.$chatwoot.hasLoaded = true;
      send('config-set', { settings });
      window.dispatchEvent(new CustomEvent('chatwoot:ready'));
    };
    window.addEventListener('resize', () => send('toggle-close-button'));
    let address = '';
    const sendAddress = () => {
      if (window.location.href === address) return;
      address = window.location.href;
      send('change-url', { referrerURL: address });
    };
    window.addEventListener('chatwoot:ready', sendAddress);
    new MutationObserver(() => address && sendAddress()).observe(document.body, { childList: true, subtree: true });
  };
  page.chatwootSDK = { run };
}

/** `/widget`: the content of the frame. It shows its texts, and reports all messages to its server. */
export function chatWidget(): void {
  window.onmessage = ({ data }: MessageEvent) => {
    const message = JSON.parse(String(data).replace('chatwoot-widget:', ''));
    void fetch('/received', { method: 'POST', body: JSON.stringify(message) });
    if (message.event !== 'config-set') return;
    const { welcomeTitle, welcomeDescription, unavailableMessage, showPopoutButton } = message.settings;
    const add = (tag: string, text: string) => document.body.append(Object.assign(document.createElement(tag), { textContent: text }));
    add('h2', welcomeTitle);
    add('p', welcomeDescription);
    add('p', unavailableMessage);
    if (showPopoutButton !== false) add('button', 'Open in a window');
  };
  window.parent.postMessage('chatwoot-widget:{"event":"loaded"}', '*');
}
