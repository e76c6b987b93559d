import { sendJson } from './http.ts';

export type GraphqlResponse<Result> = {
  data: Result;
  /** The token of the session that Vendure created or continued. */
  session: string;
};

/** Sends a query or mutation to Vendure. Fails if the response contains errors. */
export async function graphql<Result>(
  url: string,
  token: string,
  query: string,
  variables: object,
): Promise<GraphqlResponse<Result>> {
  type Body = { data: Result; errors?: { message: string }[] };
  const authorization: Record<string, string> = token === '' ? {} : { authorization: `Bearer ${token}` };
  const { body, headers } = await sendJson<Body>('POST', url, authorization, { query, variables });
  if (body.errors) throw new Error(`Vendure: ${body.errors.map(({ message }) => message).join(', ')}`);
  return { data: body.data, session: headers.get('vendure-auth-token') ?? token };
}
