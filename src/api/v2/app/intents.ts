import { Type } from 'typebox'
import { createIntent, findIntentAccount } from '../../../domain/oauth/intents/create-intent.ts'
import { webcomponentScopes } from '../../../domain/scopes.ts'
import { list, object, text } from '../../../lib/validation/fields.ts'
import { record } from '../../../runtime/http/endpoint.ts'
import { endpoint } from '../../define.ts'
import { groups } from '../../groups.ts'
import { timestamp } from '../views/record.ts'

const intentSchema = Type.Object({
  token: Type.String({ description: 'Exchanged once for an account token with `grant_type=intent_token`' }),
  scopes: Type.Array(Type.String()),
  expires_in: Type.Integer({ description: 'Seconds' }),
  expires_at: timestamp,
  account: Type.Object({ id: Type.Integer(), remote_id: Type.String() }),
})

const create = endpoint({
  group: groups.app,
  method: 'POST',
  path: '/intent/{account}',
  scope: 'app:intent-create',
  summary: 'Create an intent token for an account',
  description: '`{account}` is the `remote_id` of the account.',
  find: ({ context, caller, params }) => findIntentAccount(context, caller, params.account),
  body: object({
    scopes: list(text(), {
      min: 1,
      max: 100,
      description: `What the account token may do: ${webcomponentScopes.join(', ')}, or * for all of them`,
    }),
  }),
  example: { scopes: ['webcomponent:app-read', 'webcomponent:integration-read'] },
  returns: record(intentSchema),
  handle: ({ context, caller, found, body }) => createIntent(context, caller, { account: found, scopes: body.scopes }),
})

export const appIntents = [create]
