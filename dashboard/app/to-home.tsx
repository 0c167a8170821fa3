import { Navigate } from 'react-router';
import { paths } from '../lib/paths.ts';

export function RedirectHome() {
  return <Navigate to={paths.home} replace />;
}
