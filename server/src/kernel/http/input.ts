import type { Readable } from 'node:stream';
import { type InputError, pathParameters } from '@aisle/contract/common';
import type { Route, RouteBody } from '@aisle/contract/route';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Type, { type TSchema } from 'typebox';
import type { BodyBudget, Reservation } from '../bodies/budget.ts';
import { type BodyShape, checkShape, jsonShape } from '../bodies/check-shape.ts';
import { findUnknownFields, type KnownFields, knownFields } from '../bodies/known-fields.ts';
import { emptyBody, parseJson } from '../bodies/parse-json.ts';
import { Failure, invalid } from '../failures/failure.ts';
import { continueIfExpected } from './continue.ts';
import { findUnknownParameters, reportIgnored } from './ignored.ts';
import { isCompressed, isJson, mediaType, parseForm, readBody, tooLarge, unsupportedType } from './request-body.ts';
import { discardBody } from './small-chunks.ts';
import { streamBody } from './stream-body.ts';
import { bodyCheck, type Check, textCheck } from './validate.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    maxBytes: number;
    hasBody: boolean;
    isStreamed: boolean;
  }
  interface FastifyRequest {
    /** The memory reserved for the body. */
    reservation?: Reservation;
  }
}

/** Receives request bodies, within the route's size limit, the memory budget and the time an upload can stall. */
export function createBodyReceiver(bodies: BodyBudget, idleMs: number) {
  return async (
    request: FastifyRequest,
    payload: Readable,
  ): Promise<Buffer | AsyncIterable<Uint8Array> | undefined> => {
    const { hasBody, isStreamed, maxBytes: limit } = request.routeOptions.config;
    // A body the route does not use is discarded, whatever its type or size.
    if (!hasBody) {
      discardBody(request.raw);
      return undefined;
    }
    const length = Number(request.headers['content-length'] ?? 0);
    if (length > limit) throw tooLarge(limit);
    const compressed = isCompressed(request.headers['content-encoding']);
    if (isStreamed) {
      continueIfExpected(request.raw);
      return streamBody(payload, { limit, idleMs });
    }
    const reservation = await bodies.reserve(request.caller?.owner ?? '', length);
    request.reservation = reservation;
    continueIfExpected(request.raw);
    return readBody(payload, { compressed, length, limit, idleMs }, reservation).catch((error: unknown) => {
      reservation.release();
      throw error;
    });
  };
}

export function receivedBytes(request: FastifyRequest): Buffer {
  return (request.body as Buffer | undefined) ?? Buffer.alloc(0);
}

/**
 * Validates the parameters, query and body. Reports all errors at once, and the names of ignored fields and parameters.
 */
export type InputReader = (request: FastifyRequest, reply: FastifyReply) => InputParts;

type InputParts = {
  params: unknown;
  query: unknown;
  body: unknown;
  /** For a reader that gets the body as bytes. */
  knownFields: KnownFields | null;
  reportIgnored(fields: readonly string[]): void;
};

/** Parameters in `resolved` are left to the gate, which treats a malformed id as one that does not exist. */
export function createInputReader(route: Route, resolved: readonly string[], maxBytes: number): InputReader {
  const checks = checksOf(route, resolved);
  const shape = shapeOf(route, maxBytes);
  const parameters = new Set(Object.keys(route.query?.properties ?? {}));
  const known = route.body ? knownFields(route.body.schema) : null;
  return (request, reply) => {
    reportIgnored(request, reply, 'parameters', findUnknownParameters(parameters, request.query));
    const reportFields = (fields: readonly string[]) => reportIgnored(request, reply, 'fields', fields);
    const body = readTypedBody(route.body, { check: checks.body, shape }, request, (value) =>
      reportFields(findUnknownFields(known, value)),
    );
    const params = checks.params(request.params);
    const query = checks.query?.(request.query) ?? { value: {}, errors: [] };
    const found = [...params.errors, ...query.errors, ...body.errors];
    if (found.length > 0) throw invalid(found);
    return {
      params: params.value,
      query: query.value,
      body: body.value,
      knownFields: known,
      reportIgnored: reportFields,
    };
  };
}

type Checks = { params: Check; query: Check | undefined; body: Check | undefined };

function checksOf(route: Route, resolved: readonly string[]): Checks {
  const names = [...route.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as keyof typeof pathParameters);
  const properties = names.map((name) => [name, resolved.includes(name) ? Type.String() : pathParameters[name]]);
  return {
    params: textCheck(Type.Object(Object.fromEntries(properties) as Record<string, TSchema>)),
    query: route.query && textCheck(route.query),
    body: route.body && !isRaw(route.body) ? bodyCheck(route.body.check ?? route.body.schema) : undefined,
  };
}

/** Whether the handler reads the body itself. */
function isRaw({ form }: RouteBody): boolean {
  return form === 'bytes' || form === 'stream';
}

/** The operator's own requests can have any number of values. */
function shapeOf({ access }: Route, maxBytes: number): BodyShape {
  const shape = jsonShape(maxBytes);
  return access === 'platform' ? { ...shape, maxParts: Infinity, maxValues: Infinity } : shape;
}

function readTypedBody(
  declared: RouteBody | undefined,
  { check, shape }: { check: Check | undefined; shape: BodyShape },
  request: FastifyRequest,
  inspect: (value: unknown) => void,
) {
  const nothing = { value: undefined, errors: [] as InputError[] };
  if (declared?.form === 'stream') return readStream(declared, request);
  const bytes = receivedBytes(request);
  if (!declared || (bytes.length === 0 && !declared.required)) return nothing;
  const contentType = request.headers['content-type'];
  if (declared.form === 'urlencoded') {
    if (mediaType(contentType) !== 'application/x-www-form-urlencoded') {
      throw new Failure('invalid_request', 'Send the fields as application/x-www-form-urlencoded.');
    }
    const fields = parseForm(bytes);
    inspect(fields);
    return check?.(fields) ?? nothing;
  }
  if (bytes.length === 0 && contentType === undefined) {
    throw emptyBody();
  }
  if (!isJson(contentType)) throw unsupportedType(contentType);
  if (declared.form === 'bytes') return { value: bytes, errors: [] };
  checkShape(bytes, shape);
  const value = parseJson(bytes);
  inspect(value);
  return check?.(value) ?? nothing;
}

/** A request without a body has no content type, and an empty file. */
function readStream({ mediaTypes = [] }: RouteBody, request: FastifyRequest) {
  const contentType = request.headers['content-type'];
  if (contentType !== undefined && !mediaTypes.includes(mediaType(contentType))) {
    throw unsupportedType(contentType, mediaTypes.join(' or '));
  }
  return { value: request.body ?? emptyStream(), errors: [] };
}

async function* emptyStream(): AsyncGenerator<Uint8Array> {}
