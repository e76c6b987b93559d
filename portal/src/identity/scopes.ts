import { defaultScopes, type Scope, scopes } from '@aisle/contract/route';

export { defaultScopes, type Scope, scopes };
