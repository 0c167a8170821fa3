import { Fragment } from 'react';
import { phoneHref, supportHref, useSupport } from '../lib/support.ts';

/** How support is reached, in one line: the page, the mail, the phone, whichever there are (1.4). */
export function SupportContacts() {
  const { link, email, phone } = useSupport();
  const all = [
    ...(link ? [link] : []),
    ...(email ? [{ href: `mailto:${email}`, text: email }] : []),
    ...(phone ? [{ href: phoneHref(phone), text: phone }] : []),
  ];
  return all.map(({ href, text }, i) => (
    <Fragment key={href}>
      {i > 0 && ' · '}
      <a href={href}>{text}</a>
    </Fragment>
  ));
}

/** The one link that stands for all of it; without children it is called by the title. */
export function SupportLink({ children, className }: { children?: string; className?: string }) {
  const support = useSupport();
  return (
    <a className={className} href={supportHref(support)}>
      {children ?? support.title}
    </a>
  );
}
