import { messages } from '../messages/messages.ts';
import { escape, link, paragraph } from './html.ts';
import { asksPin, canPause } from './pause-page.ts';
import type { WindowState } from './state.ts';

export function settingsPage(state: WindowState): string {
  const { settings } = messages;
  const { actions, cannot } = state;
  const sitesHere = cannot.includes('sites_not_blocked') ? settings.sites.none : cannot.includes('few_sites_blocked') && settings.sites.few;
  const protects = actions
    ? Object.entries(settings.kinds).map(
        ([kind, name]) =>
          `${name}: ${(kind === 'ScamWebsite' && sitesHere) || settings.actions[actions[kind as keyof typeof settings.kinds]]}`,
      )
    : [settings.nothing];
  const rows: [string, string][] = [
    ...(state.link.state === 'linked' ? [[settings.device, state.link.device] as [string, string]] : []),
    ...(state.link.state === 'linked' ? [[messages.owner.title, messages.owner.is(state.holder)] as [string, string]] : []),
    [settings.protects, `${protects.join('. ')}.`],
    ...(state.relay_off ? [[settings.relay, settings.relayOff] as [string, string]] : []),
    [settings.version, state.version],
    [settings.contact, state.last_contact ? settings.at(state.last_contact) : settings.never],
    ...(state.limitations.length ? [[settings.limits, state.limitations.join(' ')] as [string, string]] : []),
  ];
  const list = rows.map(([name, value]) => `<dt>${escape(name)}</dt><dd>${escape(value)}</dd>`).join('');
  // During an incident the pause link is here, not on the calm screen, where a scammer on the phone would ask for it.
  const pause = canPause(state) && state.incident ? [link('pause', messages.pause.open)] : [];
  const links = [
    ...pause,
    ...(state.link.state === 'linked' ? [link('other', settings.other)] : []),
    link('uninstall', settings.uninstall),
  ];
  return `<h1>${settings.title}</h1><section><dl>${list}</dl></section><nav aria-label="${settings.title}">${links.join('')}</nav>`;
}

export function uninstallPage(state: WindowState): string {
  const { locked, relatives, holder, link } = state;
  const { title, remove, pin, internet, caller } = messages.uninstall;
  const proof = locked ? [messages.lock.pinNotEnough(relatives)] : asksPin(state) ? pin : [];
  const steps = [remove, ...proof, internet, ...(link.state === 'linked' ? [messages.willNotify(relatives, holder)] : [])].filter(Boolean);
  return `<h1>${escape(title)}</h1><section><ol>${steps.map((step) => `<li>${escape(step)}</li>`).join('')}</ol></section>${locked ? '' : paragraph(caller)}`;
}
