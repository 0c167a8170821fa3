import { Navigate, useParams, useSearchParams } from 'react-router';
import { paths } from '../../lib/paths.ts';
import { messages } from './messages.ts';
import { useDetection } from './queries.ts';

/** From an email to the alert in its device's history (2.97). */
export function DetectionRedirect() {
  const { detectionId = '' } = useParams();
  const [search] = useSearchParams();
  const { data, isError } = useDetection(detectionId);
  if (data) return <Navigate to={paths.deviceDetections(data.device_id, data.uuid, search.has('asked'))} replace />;
  if (isError) return <Navigate to={paths.home} replace />;
  return (
    <div className="wrap read">
      <div role="status">
        <h1>{messages.wait}</h1>
      </div>
    </div>
  );
}
