import { randomBytes } from 'node:crypto'
import { insertProposal } from '../../src/domain/agents/proposal-store.ts'
import type { Context } from '../../src/domain/context.ts'
import type { AgentClient } from '../../src/domain/oauth/agents/agent-client.ts'
import { insertAgentClient } from '../../src/domain/oauth/agents/agent-client-store.ts'
import { beginAgentGrant, insertAgentGrant } from '../../src/domain/oauth/agents/agent-grant-store.ts'
import type { TestTenant } from './server.ts'

export const agentCallback = 'http://127.0.0.1/callback'

/** A program that has registered itself, from an address of its own. */
export async function makeAgentClient({ db }: Pick<Context, 'db'>, name: string): Promise<AgentClient> {
  const wanted = { name, uri: null, redirectUris: [agentCallback] }
  const client = await insertAgentClient(db, wanted, { addressHash: randomBytes(32), maxPerDay: 1 })
  if (!client) throw new Error('The program was not registered.')
  return client
}

/** One that was let in, and a change that it has asked for. */
export async function makeAgent(
  { db, keys }: Pick<Context, 'db' | 'keys'>,
  { userId, appId }: Pick<TestTenant, 'userId' | 'appId'>,
  { name, integrationId }: { name: string; integrationId: number },
): Promise<{ client: string; agent: number; approval: number }> {
  const client = await makeAgentClient({ db }, name)
  const bounds = { shops: null, tools: ['fetch_again'], customer_data: false, calls_per_hour: 100, writes_per_day: 10 }
  const grantId = await insertAgentGrant(db, { clientId: client.id, userId, appId, ...bounds })
  await beginAgentGrant(db, grantId)
  const { id } = await insertProposal(db, keys, {
    ...{ grantId, clientId: client.id, appId },
    plan: {
      tool: 'fetch_again',
      integrationId,
      request: {
        as: { kind: 'app' },
        method: 'POST',
        url: `/api/2.0/app/integrations/${integrationId}/action`,
        body: { resource: 'sync_orders' },
      },
      says: [{ name: 'what', value: name }],
    },
  })
  return { client: client.public_id, agent: grantId, approval: id }
}
