import Type, { type Static, type TObject, type TSchema } from 'typebox';
import { type ErrorCode, errors } from './errors.ts';
import { fileKinds } from './file-kinds.ts';
import { maxMoney } from './sizes.ts';
import { subCodesIn } from './sub-codes.ts';
import { valueFaults } from './value-faults.ts';

/** A string enumeration. */
export function OneOf<const Values extends readonly string[]>(values: Values, options: Described = {}) {
  return Type.Unsafe<Values[number]>({ type: 'string', enum: [...values], ...options });
}

/** A schema that also accepts null, for fields where null and absent have different meanings. */
export function Nullable<S extends TSchema>(schema: S) {
  const { type, enum: values } = schema as { type?: string; enum?: string[] };
  if (typeof type !== 'string') return Type.Unsafe<Static<S> | null>({ anyOf: [schema, { type: 'null' }] });
  return Type.Unsafe<Static<S> | null>({ ...schema, type: [type, 'null'], ...(values && { enum: [...values, null] }) });
}

/**
 * For the bodies of management and platform routes. Unknown fields are rejected at every level, so that a misspelled
 * setting is not silently ignored.
 */
export function Closed<S extends TSchema>(schema: S): S {
  const { properties, items, anyOf } = schema as { properties?: Record<string, S>; items?: S; anyOf?: S[] };
  const entries = properties && Object.entries(properties).map(([name, inner]) => [name, Closed(inner)]);
  return changed(schema, {
    ...(entries && { properties: Object.fromEntries(entries), additionalProperties: false }),
    ...(items && { items: Closed(items) }),
    ...(anyOf && { anyOf: anyOf.map(Closed) }),
  });
}

/** A copy of the schema with this description. */
export function described<S extends TSchema>(schema: S, description: string): S {
  return changed(schema, { description });
}

/** A copy with these changes. It keeps TypeBox's hidden properties, such as the one that marks optional fields. */
function changed<S extends TSchema>(schema: S, changes: object): S {
  const hidden = Object.entries(Object.getOwnPropertyDescriptors(schema)).filter(([, { enumerable }]) => !enumerable);
  return Object.defineProperties({ ...schema, ...changes }, Object.fromEntries(hidden));
}

type Described = { description?: string; default?: unknown; examples?: unknown[] };

export const Id = Type.String({ format: 'uuid' });
export const Timestamp = Type.String({
  format: 'date-time',
  description: 'RFC 3339 timestamp in UTC with milliseconds, e.g. `2026-05-04T09:30:00.000Z`.',
});
/** A timestamp in a request: with `Z`, with an offset, or with neither (UTC is assumed). */
export const TimestampInput = Type.String({
  format: 'lenient-date-time',
  description: 'ISO 8601 timestamp. UTC is assumed if there is no offset.',
});
export const Money = Type.Number({
  minimum: 0,
  maximum: maxMoney,
  description: 'A decimal amount. Digits after the third decimal place are truncated.',
});
/**
 * Every `pattern` has a `patternHint`, the error message for a value (or a record key) that does not match. The regular
 * expression itself would be hard to read.
 */
export const Currency = Type.String({
  pattern: '^[A-Z]{3}$',
  format: 'currency',
  patternHint: valueFaults.currency,
  description: 'ISO 4217 currency code.',
});
export const CountryCode = Type.String({
  pattern: '^[A-Z]{2}$',
  format: 'country',
  patternHint: valueFaults.country,
  description: 'ISO 3166-1 alpha-2 country code.',
});
const localePattern = '^[a-z]{2,3}_[A-Z]{2}$';
export const Locale = Type.String({
  pattern: localePattern,
  patternHint: valueFaults.locale,
  description: 'Language and country, e.g. `en_SG`.',
});
export const Localized = Type.Record(Type.String({ pattern: localePattern }), Type.String(), {
  additionalProperties: false,
  patternHint: valueFaults.locale,
  description: 'Text by locale, e.g. `{"en_SG": "Fresh milk"}`.',
});

export const pageQuery = {
  page: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1_000_000_000, default: 1, description: 'The page number, starting at 1.' }),
  ),
  page_size: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 500, default: 20, description: 'The number of items per page.' }),
  ),
};

/** Filters a list by vendor. */
export const VendorFilter = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'Return only entries that concern the vendor with this platform id or external id.',
});

/** The response body of a paginated list. `noun` is the name of the field that contains the items. */
export function Page<const Noun extends string, Item extends TSchema>(noun: Noun, item: Item) {
  return Type.Object({
    ...({ [noun]: Type.Array(item, { description: 'The items on this page.' }) } as {
      [N in Noun]: Type.TArray<Item>;
    }),
    page_number: Type.Integer({ description: 'The number of this page, starting at 1.' }),
    page_size: Type.Integer({ description: 'The maximum number of items per page.' }),
    total_pages: Type.Integer({ description: 'The number of pages; 0 if there are no items.' }),
    total_items: Type.Integer({ description: 'The number of items on all pages.' }),
    total_items_is_estimate: Type.Optional(
      Type.Boolean({
        description:
          '`true` if `total_items` and `total_pages` are estimates, which saves counting many items; otherwise absent. To read all items, read pages until one is not full.',
      }),
    ),
  });
}

/** Query parameters of a list that is read with a cursor. Its items are returned in the order in which they changed. */
export const cursorQuery = {
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2000,
      description: 'The `next_cursor` of the previous response. Send it with the same filters.',
    }),
  ),
  updated_since: Type.Optional(
    Type.String({
      format: 'lenient-date-time',
      description:
        'Start with changes made at this time or later. ISO 8601 timestamp; UTC is assumed if there is no offset. Cannot be combined with `cursor`.',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 500, default: 100, description: 'The maximum number of items per response.' }),
  ),
};

/** The response body of a list that is read with a cursor. `noun` is the name of the field that contains the items. */
export function CursorPage<const Noun extends string, Item extends TSchema>(noun: Noun, item: Item) {
  return Type.Object({
    ...({
      [noun]: Type.Array(item, {
        description: 'The items in their current state. Can be empty even if `has_more` is true.',
      }),
    } as { [N in Noun]: Type.TArray<Item> }),
    next_cursor: Type.String({
      description: 'The cursor for the next request. Also returned at the end of the list, for the next poll.',
    }),
    has_more: Type.Boolean({ description: 'Whether more items are available now.' }),
  });
}

export const ProblemCode = OneOf(Object.keys(errors) as ErrorCode[], {
  description: 'A stable error code; see the list of errors.',
});
export const InputErrorCode = OneOf(subCodesIn('error'), {
  description: 'A stable code for this problem; see the list of errors.',
});
export const InputError = Type.Object({
  pointer: Type.String({
    description: 'A JSON pointer into the request body, or the name of the query parameter or header.',
  }),
  code: InputErrorCode,
  message: Type.String({ description: 'What is wrong, and what is allowed. The text can change.' }),
});
export type InputError = Static<typeof InputError>;

/** Extra fields of certain errors. The advice for an error code describes the extra fields of that error. */
const problemDetails = {
  order_id: Type.Optional(Type.String({ format: 'uuid', description: 'The order that already has the external id.' })),
  order_status: Type.Optional(Type.String({ description: 'The current status of the order.' })),
  approval_state: Type.Optional(Type.String({ description: 'The state of the question about the replacement.' })),
  allowed: Type.Optional(Type.Array(Type.String(), { description: 'The statuses you can send now.' })),
  revision: Type.Optional(Type.Integer({ description: 'The current revision of the order.' })),
  changed_by: Type.Optional(Type.String({ description: 'Who made the last change to the order.' })),
  pickers: Type.Optional(Type.Array(Type.String(), { description: 'The names of the pickers of the order.' })),
  outlet_status: Type.Optional(Type.String({ description: 'The status of the store.' })),
  closed_until: Type.Optional(Type.String({ format: 'date-time', description: 'When the store reopens, if known.' })),
  missing: Type.Optional(Type.Array(Type.String(), { description: 'What must be set up first.' })),
  chains: Type.Optional(
    Type.Array(
      Type.Object({
        chain_id: Type.String({ description: 'The id of the chain.' }),
        name: Type.String({ description: 'The name of the chain.' }),
      }),
      { description: 'The chains to choose from when signing in.' },
    ),
  ),
  certification_id: Type.Optional(described(Id, 'The certification that is running.')),
  limit_bytes: Type.Optional(Type.Integer({ description: 'The maximum size of the decompressed body in bytes.' })),
};
export type ProblemDetails = Partial<{
  [Name in keyof typeof problemDetails]: Static<(typeof problemDetails)[Name]>;
}>;

export const Problem = Type.Object(
  {
    type: Type.String({ description: 'A link to the documentation for the error code, as a path on this server.' }),
    title: Type.String({ description: 'What the code means.' }),
    status: Type.Integer({ description: 'The HTTP status.' }),
    detail: Type.String({ description: 'What went wrong with this request. The text can change.' }),
    instance: Type.String({ description: 'The request id.' }),
    code: ProblemCode,
    message: Type.String({ description: 'The same text as `detail`.' }),
    ...problemDetails,
    errors: Type.Optional(
      Type.Array(InputError, {
        description: 'The problems with the request. If there are many, only the first ones are listed.',
      }),
    ),
  },
  { additionalProperties: true, description: 'RFC 9457 problem details.' },
);
export type Problem = Static<typeof Problem>;

export const TokenProblem = Type.Object(
  {
    error: Type.String({ description: 'The OAuth error code, e.g. `invalid_client` or `invalid_scope`.' }),
    error_description: Type.String({ description: 'The text of `detail`, in ASCII.' }),
    ...Problem.properties,
  },
  {
    additionalProperties: true,
    description: 'An OAuth error (RFC 6749, section 5.2), with the usual problem details.',
  },
);

/** Path parameters by name. Each one has the same meaning in every path. */
export const pathParameters = {
  chain_id: Type.String({ format: 'uuid', description: 'The id of the chain that the token belongs to.' }),
  vendor_id: Type.String({ description: 'The platform id or external id of the vendor.' }),
  order_id: Type.String({ format: 'uuid', description: 'The id of the order.' }),
  item_id: Type.String({ maxLength: 64, description: 'The `_id` of the item in the order.' }),
  job_id: Type.String({ format: 'uuid', description: 'The job id, returned when the job was created.' }),
  promotion_id: Type.String({ format: 'uuid', description: 'The id of the promotion.' }),
  token_id: Type.String({ format: 'uuid', description: 'The id of the API token.' }),
  client_id: Type.String({
    pattern: '^[A-Za-z0-9_]{1,64}$',
    patternHint: 'must be 1 to 64 letters (A to Z, a to z), digits or underscores',
    description: 'The id of the client.',
  }),
  user_id: Type.String({ format: 'uuid', description: 'The id of the portal user.' }),
  session_id: Type.String({ format: 'uuid', description: 'The id of the session.' }),
  sftp_user_id: Type.String({ format: 'uuid', description: 'The id of the SFTP user.' }),
  key_id: Type.String({ format: 'uuid', description: 'The id of the public key.' }),
  certification_id: Type.String({ format: 'uuid', description: 'The id of the certification.' }),
  delivery_id: Type.String({
    format: 'uuid',
    description: 'The id of the delivery, which is also the id of its event.',
  }),
  task_id: Type.String({
    pattern: '^[0-9]{1,18}$',
    patternHint: 'must be the id of a task',
    description: 'The id of the task.',
  }),
  webhook_id: Type.String({ format: 'uuid', description: "The id of the platform's webhook." }),
  file_id: Type.String({ format: 'uuid', description: 'The id of the uploaded file.' }),
  folder: OneOf(fileKinds, { description: 'The kind of folder: `catalog`, `products` or `promotions`.' }),
  request_id: Type.String({
    pattern: '^[\\w.:-]{1,128}$',
    patternHint: 'must be the `x-request-id` of a response',
    description: 'The `x-request-id` of the response.',
  }),
} as const;

export const NoQuery: TObject = Type.Object({});
