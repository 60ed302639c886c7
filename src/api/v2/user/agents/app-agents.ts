import { Type } from 'typebox'
import { readAgentWrites, writeAgentWrites } from '../../../../domain/agents/proposal-store.ts'
import { findIntegrationOfApp } from '../../../../domain/integrations/integration-store.ts'
import { type AgentGrant, maxBudget, maxShops } from '../../../../domain/oauth/agents/agent-grant.ts'
import {
  agentGrantList,
  agentGrantsOfApp,
  endAgentGrant,
  findAgentGrant,
} from '../../../../domain/oauth/agents/agent-grant-store.ts'
import { letAgentIn } from '../../../../domain/oauth/agents/authorize-agent.ts'
import type { UserCaller } from '../../../../domain/tenant.ts'
import { recordId } from '../../../../lib/record-id.ts'
import { choice, flag, id, integer, list, maybe, object, optional } from '../../../../lib/validation/fields.ts'
import { nothing, page, record } from '../../../../runtime/http/endpoint.ts'
import { listQuery } from '../../../../runtime/http/input/list-query.ts'
import { endpoint, type Finding } from '../../../define.ts'
import { groups } from '../../../groups.ts'
import { listOf } from '../../../list.ts'
import { chosenTools, writeToolNames } from '../../../mcp/tools/index.ts'
import { requestFields } from '../../../oauth/agents.ts'
import { appInPath, mutableAppInPath } from '../../in-path.ts'
import { agentSchema, agentView } from '../../views/agents/agent.ts'

const listAll = endpoint({
  group: groups.user,
  method: 'GET',
  path: '/apps/{appId}/agents',
  right: 'read-app',
  extension: true,
  summary: 'List the agents of an app',
  description: 'Programs that somebody has let in, newest first, with their bounds and what they have used.',
  find: appInPath,
  query: listQuery({ sort: ['id', 'created_at', 'last_used_at'] }),
  returns: page(agentSchema),
  handle: ({ context, found, query }) =>
    listOf<AgentGrant, ReturnType<typeof agentView>>(
      context,
      agentGrantList,
      agentGrantsOfApp(found.id),
      query,
      agentView,
    ),
})

const toolNames = chosenTools.map(({ name }) => name)

const letIn = endpoint({
  group: groups.user,
  method: 'POST',
  path: '/apps/{appId}/agents',
  right: 'manage-access',
  extension: true,
  summary: 'Let an agent in',
  description:
    'The person’s yes to what `/oauth/authorize` was called with, and within which bounds. The agent acts with the rights of this person in this app, and no others. The browser is sent to `redirect_to`, which carries a code that works once, for two minutes.',
  find: mutableAppInPath,
  body: object({
    ...requestFields,
    shops: maybe(list(id(), { min: 1, max: maxShops, unique: true, description: 'Null is every shop of the app' })),
    tools: list(choice(toolNames), { min: 1, max: toolNames.length, unique: true }),
    customer_data: optional(flag('Whether it is shown who bought; not unless this is set')),
    calls_per_hour: integer({ minimum: 1, maximum: maxBudget }),
    writes_per_day: integer({ minimum: 0, maximum: maxBudget }),
  }),
  example: {
    response_type: 'code',
    client_id: '5f0c6d1e-6f0e-4c86-9a55-3a4c6a0f7f11',
    redirect_uri: 'http://127.0.0.1/callback',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    resource: 'https://entrepot.test/mcp',
    shops: null,
    tools: ['list_shops', 'shop_health'],
    calls_per_hour: 200,
    writes_per_day: 20,
  },
  returns: record(Type.Object({ redirect_to: Type.String({ description: 'Where the browser goes on' }) })),
  async handle({ context, caller, found, body }) {
    const { shops = null, tools, customer_data = false, calls_per_hour, writes_per_day, ...asked } = body
    // Each has to be there, and of this app.
    for (const shop of shops ?? []) await findIntegrationOfApp(context.db, { appId: found.id }, shop)
    const bounds = { shops, tools, customer_data, calls_per_hour, writes_per_day }
    const consent = { userId: caller.userId, appId: found.id, asked, ...bounds }
    return { redirect_to: await letAgentIn(context, consent) }
  },
})

const remove = endpoint({
  group: groups.user,
  method: 'DELETE',
  path: '/apps/{appId}/agents/{agent}',
  right: 'manage-access',
  extension: true,
  summary: 'End the access of an agent',
  description: 'At once, in every process. What it asked for and nobody has decided can no longer be approved.',
  async find(input: Finding<UserCaller, 'appId' | 'agent'>) {
    const { id: appId } = await mutableAppInPath(input)
    return await findAgentGrant(input.context.db, appId, recordId(input.params.agent))
  },
  returns: nothing,
  handle: ({ context, found }) => context.transaction((trx) => endAgentGrant(trx, found.id)),
})

const writes = Type.Object({
  tools: Type.Array(Type.String(), { description: 'Used by agents without asking a person first' }),
})

const getWrites = endpoint({
  group: groups.user,
  method: 'GET',
  path: '/apps/{appId}/agent-writes',
  right: 'read-app',
  extension: true,
  summary: 'Which changes agents make without approval',
  find: appInPath,
  returns: record(writes),
  handle: async ({ context, found }) => ({ tools: await readAgentWrites(context.db, found.id) }),
})

const putWrites = endpoint({
  group: groups.user,
  method: 'PUT',
  path: '/apps/{appId}/agent-writes',
  right: 'manage-access',
  extension: true,
  summary: 'Change which changes agents make without approval',
  description: 'None unless they are named here; every other change waits for a person.',
  find: mutableAppInPath,
  body: object({ tools: list(choice(writeToolNames), { max: writeToolNames.length, unique: true }) }),
  example: { tools: ['fetch_again'] },
  returns: record(writes),
  handle: async ({ context, found, body }) => ({
    tools: await context.transaction((trx) => writeAgentWrites(trx, found.id, body.tools)),
  }),
})

export const userAppAgents = [listAll, letIn, remove, getWrites, putWrites]
