/** The response to a request that has become a job. */
export function accepted(jobId: string) {
  return { status: 202 as const, body: { job_id: jobId, job_status: 'QUEUED' as const } };
}
