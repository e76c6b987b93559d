import assert from 'node:assert/strict';
import test from 'node:test';
import { route } from '@aisle/contract/route';
import Type from 'typebox';
import { type Call, reading } from './call.ts';

const bytesRoute = route({
  method: 'PUT',
  path: '/things',
  api: 'partner',
  tag: 'Things',
  summary: 'Put things',
  access: 'public',
  rateLimit: 'read',
  body: { schema: Type.Unknown(), example: {}, required: true, form: 'bytes' },
  responses: { 200: { description: 'Done.', schema: Type.Object({ bytes: Type.Integer() }) } },
  errors: [],
});
type TestCall = Call<typeof bytesRoute, string>;

test("a handler with a body reader gets the reader's result as its plan, instead of the body", async () => {
  const handler = reading<typeof bytesRoute, string, { length: number }>({
    read: async ({ body, access }) => ({ length: body.length + access.length }),
    async handle(call) {
      assert.ok(!('body' in call));
      return { status: 200, body: { bytes: call.plan.length } };
    },
  });
  const call = { access: 'me', body: new Uint8Array(3) } as TestCall;
  const handle = await handler.prepare({ ...call, signal: new AbortController().signal });
  assert.deepEqual(await handle(call), { status: 200, body: { bytes: 5 } });
});
