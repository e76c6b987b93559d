import Type, { type Static, type TObject, type TSchema } from 'typebox';

/** One of a fixed list of words. */
export function OneOf<const Words extends readonly string[]>(words: Words, options: Described = {}) {
  return Type.Unsafe<Words[number]>({ type: 'string', enum: [...words], ...options });
}

/** A value that may also be null, where null means something. */
export function Nullable<S extends TSchema>(schema: S) {
  const { type, enum: words } = schema as { type?: string; enum?: string[] };
  if (typeof type !== 'string') return Type.Unsafe<Static<S> | null>({ anyOf: [schema, { type: 'null' }] });
  return Type.Unsafe<Static<S> | null>({ ...schema, type: [type, 'null'], ...(words && { enum: [...words, null] }) });
}

type Described = { description?: string; default?: unknown; examples?: unknown[] };

export const Id = Type.String({ format: 'uuid' });
export const Timestamp = Type.String({
  format: 'date-time',
  description: 'RFC 3339 in UTC with milliseconds and `Z`.',
});
/** A time as callers may write it: bare (taken as UTC), with `Z`, or with an offset. */
export const TimestampInput = Type.String({
  format: 'lenient-date-time',
  description: 'ISO 8601; without an offset it is taken as UTC.',
});
export const Money = Type.Number({
  minimum: 0,
  maximum: 9_999_999.999,
  description: 'A decimal amount. Three decimals are kept, further digits are cut off.',
});
export const Currency = Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217 code.' });
export const CountryCode = Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166-1 alpha-2 code.' });
export const Locale = Type.String({ pattern: '^[a-z]{2,3}_[A-Z]{2}$', description: 'language_COUNTRY, e.g. `en_SG`.' });
/** A text per locale. */
export const Localized = Type.Record(Type.String({ pattern: '^[a-z]{2,3}_[A-Z]{2}$' }), Type.String(), {
  additionalProperties: false,
  description: 'A text per locale, e.g. `{"en_SG": "Fresh milk"}`.',
});

export const pageQuery = {
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000_000, default: 1, description: 'From 1.' })),
  page_size: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 20 })),
};

/** Every list answers in this form; the noun is what it lists. */
export function Page<const Noun extends string, Item extends TSchema>(noun: Noun, item: Item) {
  return Type.Object({
    ...({ [noun]: Type.Array(item) } as { [N in Noun]: Type.TArray<Item> }),
    page_number: Type.Integer(),
    page_size: Type.Integer(),
    total_pages: Type.Integer(),
    total_items: Type.Integer(),
  });
}

export const Problem = Type.Object(
  {
    type: Type.String(),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String(),
    instance: Type.String({ description: 'The request id.' }),
    code: Type.String({ description: 'Stable; see the table of errors.' }),
    message: Type.String({ description: 'The same text as `detail`.' }),
    errors: Type.Optional(
      Type.Array(
        Type.Object({
          pointer: Type.String({ description: 'JSON pointer into the body, or the name of the query parameter.' }),
          code: Type.String(),
          message: Type.String(),
        }),
      ),
    ),
  },
  { additionalProperties: true, description: 'RFC 9457 problem details.' },
);
export type Problem = Static<typeof Problem>;
export type InputError = { pointer: string; code: string; message: string };

/** What the parameters in paths mean, wherever they stand. */
export const pathParameters = {
  chain_id: Type.String({ format: 'uuid', description: 'The chain the token belongs to.' }),
  vendor_id: Type.String({ description: 'A vendor: its platform id or its external id.' }),
  order_id: Type.String({ format: 'uuid', description: 'The order.' }),
  job_id: Type.String({ format: 'uuid', description: 'The job, as given by the answer that created it.' }),
  promotion_id: Type.String({ format: 'uuid', description: 'The promotion.' }),
  token_id: Type.String({ format: 'uuid', description: 'The API token.' }),
  client_id: Type.String({ pattern: '^[A-Za-z0-9_]{1,64}$', description: 'The client.' }),
  user_id: Type.String({ format: 'uuid', description: 'The person who may sign in to the portal.' }),
  delivery_id: Type.String({ format: 'uuid', description: 'The delivery; the same as the id of its event.' }),
} as const;

export const NoQuery: TObject = Type.Object({});
