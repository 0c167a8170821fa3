import { useQuery } from '@tanstack/react-query';
import { Navigate, useParams } from 'react-router';
import { call } from '../../lib/call.ts';
import { paths } from '../../lib/paths.ts';
import { t } from './texts.ts';

/** From the link in a mail to the alert in its device's history (2.97). */
export function DetectionRedirect() {
  const { detectionId = '' } = useParams();
  const detection = useQuery({
    queryKey: ['detection', detectionId],
    queryFn: () => call('GET /web/detections/:id', { params: { id: detectionId } }),
    retry: false,
  });
  if (detection.data) return <Navigate to={paths.deviceDetections(detection.data.device_id, detection.data.uuid)} replace />;
  if (detection.isError) return <Navigate to={paths.home} replace />;
  return (
    <div className="wrap read">
      <div role="status">
        <h1>{t.wait}</h1>
      </div>
    </div>
  );
}
