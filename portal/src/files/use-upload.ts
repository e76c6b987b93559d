import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useSession } from '../api/session.tsx';
import { sendFile } from '../api/send-file.ts';

/**
 * Uploads a file, reports progress from 0 to 1, then opens the page of the preview or of the file. Leaving early cancels
 * the upload.
 */
export function useUpload() {
  const { chain } = useSession();
  const navigate = useNavigate();
  const client = useQueryClient();
  const [progress, setProgress] = useState(0);
  const aborter = useRef<AbortController>(undefined);
  const cancel = () => aborter.current?.abort();
  useEffect(() => cancel, []);
  const upload = useMutation({
    mutationFn: ({ folder, file, isPreview }: { folder: string; file: File; isPreview: boolean }) => {
      setProgress(0);
      aborter.current = new AbortController();
      const sending = { signal: aborter.current.signal, onProgress: setProgress };
      return sendFile(chain.chain_id, { folder, file, isPreview }, sending);
    },
    onSuccess: async ({ file_id, job_ids, is_repeat }, { isPreview }) => {
      await client.invalidateQueries({ queryKey: ['listFiles'] });
      const [jobId] = job_ids;
      if (isPreview && jobId !== undefined) {
        await navigate({ to: '/jobs/$jobId', params: { jobId } });
        return;
      }
      await navigate({
        to: '/files/$fileId',
        params: { fileId: file_id },
        search: is_repeat ? { repeat: true } : {},
      });
    },
  });
  return { upload, progress, cancel };
}
