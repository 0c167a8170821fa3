import { Fragment } from 'react';
import { phoneHref, supportHref, useSupport } from '../lib/support.ts';

/** Support's page, email and phone in one line, as available (1.4). */
export function SupportContacts() {
  const { link, email, phone } = useSupport();
  const contacts = [
    ...(link ? [link] : []),
    ...(email ? [{ href: `mailto:${email}`, text: email }] : []),
    ...(phone ? [{ href: phoneHref(phone), text: phone }] : []),
  ];
  return contacts.map(({ href, text }, i) => (
    <Fragment key={href}>
      {i > 0 && ' · '}
      <a href={href}>{text}</a>
    </Fragment>
  ));
}

/** Without children the link's text is the support's title. */
export function SupportLink({ children, className }: { children?: string; className?: string }) {
  const support = useSupport();
  return (
    <a className={className} href={supportHref(support)}>
      {children ?? support.title}
    </a>
  );
}
