import { useEffect, useMemo } from 'react';
import { useLocation } from 'react-router';
import { analytics } from '../../integrations/analytics.ts';
import { onMilestone } from '../../integrations/milestones.ts';
import { config } from '../../lib/config.ts';
import { pathBelowDashboard, place } from './location.ts';

/** Counts page views (7.39) and registrations (4.5). */
export function useAnalytics(wanted: boolean): void {
  const { pathname } = useLocation();
  const collector = useMemo(() => (wanted && config.analytics ? analytics(config.analytics, place) : null), [wanted]);
  useEffect(() => {
    // After a timeout, when the guard has redirected: a page that nobody saw is not counted.
    const timer = window.setTimeout(() => pathBelowDashboard(window.location.pathname) === pathname && collector?.view(), 0);
    return () => clearTimeout(timer);
  }, [collector, pathname]);
  useEffect(() => (collector ? onMilestone((milestone) => collector.event(milestone)) : undefined), [collector]);
}
