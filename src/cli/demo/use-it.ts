import { randomUUID } from 'node:crypto'
import { callTool } from '../../api/mcp/call-tool.ts'
import { refuseProposal } from '../../api/mcp/decide-proposal.ts'
import type { Program } from '../../compose.ts'
import { demoEmail, demoHost } from '../../demo/demo-address.ts'
import { findProposal } from '../../domain/agents/proposal-store.ts'
import { createChannel } from '../../domain/alerts/channels/write-channel.ts'
import type { Context } from '../../domain/context.ts'
import { createFlow } from '../../domain/flows/write-flow.ts'
import { beginAgentGrant, insertAgentGrant } from '../../domain/oauth/agents/agent-grant-store.ts'
import { asUser, readAgentOfGrant } from '../../domain/oauth/agents/read-agent.ts'
import { registerAgent } from '../../domain/oauth/agents/register-agent.ts'
import { issueToken } from '../../domain/oauth/issue-token.ts'
import { inviteUser } from '../../domain/users/invitations/invite-user.ts'
import type { Actor } from '../../domain/users/user.ts'

/** What somebody who uses the service would have left behind: calls of their software, an agent's wishes, a colleague who was asked in. */
export interface Use {
  code: string
  actor: Actor & { userId: number }
  appId: number
  /** What the software logs in with. */
  client: { id: number; secret: string }
}

/** And the shop it is about. */
type UseOfShop = Use & { integrationId: number }

const address = '127.0.0.1'

/** The software of the app reads its shops, as its first lines of code would; one call is refused, which somebody will want to see. */
export async function callAsApp({ context, http }: Program, { client, integrationId }: UseOfShop): Promise<Order[]> {
  if (!http) throw new Error('Nobody answers here.')
  const { access_token: token } = await issueToken(context, {
    body: { grant_type: 'client_credentials', client_id: client.id, client_secret: client.secret },
    ...{ basic: null, address },
  })
  const get = async (url: string) => {
    const headers = { accept: 'application/json', authorization: `Bearer ${token}` }
    const { body } = await http.inject({ method: 'GET', url, remoteAddress: address, headers })
    return JSON.parse(body) as { data?: unknown }
  }
  await get('/api/2.0/app/integrations')
  await get('/api/2.0/app/orders?integration_id=0')
  const { data } = await get(`/api/2.0/app/orders?integration_id=${integrationId}&sort=-placed_at&per_page=100`)
  return data as Order[]
}

interface Order {
  id: number
  status: string
}

/** An agent of the support desk, let in with narrow bounds. Two of its wishes wait for a person; a third was refused. */
export async function letAgentAsk(
  context: Context,
  { actor, appId, integrationId }: UseOfShop,
  orders: readonly Order[],
): Promise<void> {
  const { inside } = context
  if (!inside) throw new Error('Nobody answers here.')
  const body = { client_name: 'Support desk agent', redirect_uris: ['http://127.0.0.1/callback'] }
  const client = await registerAgent(context, { body, address })
  const tools = [
    'list_shops',
    'shop_health',
    'find_order',
    'get_order',
    'order_passport',
    'refund_order',
    'fetch_again',
  ]
  const grantId = await insertAgentGrant(context.db, {
    ...{ clientId: client.id, userId: actor.userId, appId, shops: null, tools },
    ...{ customer_data: false, calls_per_hour: 300, writes_per_day: 20 },
  })
  await beginAgentGrant(context.db, grantId)
  const agent = await readAgentOfGrant(context.db, grantId)
  if (!agent) throw new Error('The agent was not let in.')
  const wish = async (name: string, input: Record<string, unknown>) => {
    const from = { address, requestId: randomUUID() }
    const { data, isError, text } = await callTool({ ...context, inside }, agent, { name, input, from })
    if (isError) throw new Error(text)
    return Number(data['approval_id'])
  }
  const refundable = orders.filter(({ status }) => status === 'SHIPPED' || status === 'DELIVERED')
  const [broken, late] = refundable
  const refund = { shop_id: integrationId, amount: '12.50' }
  const refused = late && (await wish('refund_order', { ...refund, order_id: late.id, reason: 'Came a day late' }))
  if (broken) await wish('refund_order', { ...refund, order_id: broken.id, reason: 'One of the cups was broken' })
  await wish('fetch_again', { shop_id: integrationId, what: 'orders' })
  if (refused === undefined) return
  const proposal = await findProposal(context.db, context.keys, { appId, id: refused })
  await refuseProposal(context, asUser(agent), proposal)
}

/** The team: where alerts go, who has been asked in, and what is done every night. */
export async function setUpTeam(context: Context, { code, actor, appId }: Use): Promise<void> {
  const chat = {
    type: 'slack',
    name: 'The team’s chat',
    address: `https://${demoHost('chat', code)}/hooks/team`,
  } as const
  await createChannel(context, { appId, maker: { userId: actor.userId, email: null } }, chat)
  // No letter: addresses of a demo lead nowhere.
  const { mail: _, ...silent } = context
  await inviteUser(silent, actor, { email: demoEmail('grace', code), role: 'support' })
  await createFlow(
    context,
    { appId },
    {
      ...{ name: 'Every night: stock, then a comparison', type: 'schedule', trigger: { cron: '15 3 * * *' } },
      steps: [{ action: 'sync_inventory' }, { action: 'reconcile' }],
    },
  )
}
