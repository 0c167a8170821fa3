import type { AnchorHTMLAttributes, MouseEvent } from 'react';
import { useHref, useLinkClickHandler, useLocation } from 'react-router';
import { pagePath } from './page-path.ts';

/**
 * Links of the app. Those of the router's package bring along its code for preloading pages that a server renders, which here would only
 * add to every first load.
 */

interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href' | 'target'> {
  /** A path below /dashboard. */
  to: string;
  /** For the page that it leads to. */
  state?: unknown;
}

export function Link({ to, state, onClick, children, ...attributes }: LinkProps) {
  const navigate = useLinkClickHandler(to, { state });
  const click = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    navigate(event);
  };
  return (
    <a {...attributes} href={useHref(to)} onClick={click}>
      {children}
    </a>
  );
}

interface NavLinkProps extends LinkProps {
  /** Pages below this one have links of their own. */
  end?: boolean;
}

/** A link that assistive technology and the style recognize as the current page's. */
export function NavLink({ to, end = false, ...attributes }: NavLinkProps) {
  const { pathname } = useLocation();
  const path = pagePath(pathname) || '/';
  const current = path === to || (!end && path.startsWith(`${to}/`));
  return <Link {...attributes} to={to} aria-current={current ? 'page' : undefined} />;
}
