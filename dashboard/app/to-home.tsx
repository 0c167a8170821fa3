import { Navigate } from 'react-router';
import { paths } from '../lib/paths.ts';

export function ToHome() {
  return <Navigate to={paths.home} replace />;
}
