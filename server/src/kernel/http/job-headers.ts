import type { Route } from '@aisle/contract/route';
import type { FastifyRequest } from 'fastify';
import { prefersAsync } from './prefer.ts';
import type { HandlerResponse } from './response.ts';

/** Returns the URL of the job that a request created. */
export type JobUrl = (params: Record<string, string>, jobId: string) => string;

/** Undefined if the route creates no jobs. */
export function jobUrlOf(route: Route, routes: Record<string, Route>, publicUrl: string): JobUrl | undefined {
  const operationId = route.responses[202]?.job;
  if (operationId === undefined) return undefined;
  const path = routes[operationId]?.path ?? '';
  return (params, jobId) =>
    publicUrl + path.replace(/\{(\w+)\}/g, (_, name: string) => (name === 'job_id' ? jobId : (params[name] ?? '')));
}

/** Adds the job's URL to a 202 as `Location`, and `Preference-Applied` if the client sent `Prefer: respond-async`. */
export function withJobHeaders<Response extends HandlerResponse>(
  response: Response,
  jobUrl: JobUrl | undefined,
  request: FastifyRequest,
): Response {
  if (response.status !== 202 || !jobUrl || !('body' in response)) return response;
  const { job_id: jobId } = response.body as { job_id: string };
  const location = jobUrl(request.params as Record<string, string>, jobId);
  const applied = prefersAsync(request.headers) && { 'preference-applied': 'respond-async' };
  return { ...response, headers: { ...response.headers, location, ...applied } };
}
