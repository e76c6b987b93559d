import { type Scope, scopes } from '@aisle/contract/route';

export { type Scope, scopes };
