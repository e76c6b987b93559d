import type { routes } from '@aisle/contract/index';
import type { ResponseOf, PathParams, QueryOf, Route, RouteBody } from '@aisle/contract/route';
import type { Static } from 'typebox';

/** The types of all API operations, derived from the contract. */
type Routes = typeof routes;

export type OperationId = {
  [Id in keyof Routes]: Routes[Id]['api'] extends 'partner' ? Id : never;
}[keyof Routes];

/** The path parameters without the chain id, which comes from the session. */
export type Params<Id extends OperationId> = Omit<PathParams<Routes[Id]['path']>, 'chain_id'>;
export type Query<Id extends OperationId> = Partial<QueryOf<Routes[Id]>>;
export type Body<Id extends OperationId> = BodySent<Routes[Id]>;

/** The input for an operation. It contains only what the route accepts. */
export type Input<Id extends OperationId> = Part<'params', Params<Id>> &
  (Routes[Id] extends { query: object } ? { query?: Query<Id> } : object) &
  (Routes[Id] extends { body: RouteBody } ? { body: Body<Id> } : object);

export type ResponseBody<Id extends OperationId> = Extract<ResponseOf<Routes[Id]>, { body: unknown }>['body'];

type Part<Name extends string, Value> = keyof Value extends never ? object : { [N in Name]: Value };

type BodySent<R extends Route> = R['body'] extends RouteBody ? Static<R['body']['schema']> : undefined;
