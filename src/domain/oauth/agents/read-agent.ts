import type { Db } from '../../../runtime/db/connection.ts'
import { permissionsOf } from '../../rights.ts'
import { everyScope } from '../../scopes.ts'
import type { AccountCaller, AgentCaller, ClientCaller, UserCaller } from '../../tenant.ts'
import { rightsInApp } from '../callers/rights-of-user.ts'
import { readOwnedApp } from '../sign-in/console-session-store.ts'
import { type LiveAgent, readLiveAgent, readLiveGrant } from './agent-token-store.ts'

/** Programs ask in bursts; what they may in an hour is in their grant. */
const requestsPerMinute = 600

export async function readAgentCaller(
  db: Db,
  token: string,
): Promise<{ caller: AgentCaller; secondsLeft: number } | null> {
  const live = await readLiveAgent(db, token)
  const caller = live && (await callerOf(db, live))
  return caller ? { caller, secondsLeft: live.secondsLeft } : null
}

/** For what an agent asked for earlier; null where it may no longer. */
export async function readAgentOfGrant(db: Db, grantId: number): Promise<AgentCaller | null> {
  const live = await readLiveGrant(db, grantId)
  return live && (await callerOf(db, live))
}

async function callerOf(db: Db, live: LiveAgent): Promise<AgentCaller | null> {
  const { grantId, clientId, userId, company_id: companyId, admin } = live
  const appId = await readOwnedApp(db, { userId, companyId, admin }, live.appId)
  if (appId === null) return null
  const rights = rightsInApp(live, appId)
  return {
    kind: 'agent',
    tokenId: 0,
    clientId,
    scopes: [everyScope],
    subject: `agent:${grantId}`,
    allowance: requestsPerMinute,
    onBehalfOf: userId,
    permissions: permissionsOf(rights),
    rights,
    ...{ grantId, appId, userId, companyId, admin },
    bounds: {
      shops: live.shops,
      tools: live.tools,
      customer_data: live.customer_data,
      calls_per_hour: live.calls_per_hour,
      writes_per_day: live.writes_per_day,
    },
  }
}

/** In whose place an agent asks: with the rights of its person in that app, as the console does, and no others. */
const standingFor = ({ tokenId, clientId, scopes, subject, allowance, onBehalfOf, rights }: AgentCaller) => ({
  ...{ tokenId, clientId, scopes, subject, rights },
  ...(allowance !== undefined && { allowance }),
  ...(onBehalfOf !== undefined && { onBehalfOf }),
  permissions: new Set<never>(),
})

export const asApp = (agent: AgentCaller): ClientCaller => ({
  kind: 'client',
  ...standingFor(agent),
  keysOf: `${agent.subject}/app:${agent.appId}`,
  appId: agent.appId,
})

export const asAccount = (agent: AgentCaller, accountId: number): AccountCaller => ({
  kind: 'account',
  ...standingFor(agent),
  keysOf: `${agent.subject}/app:${agent.appId}/account:${accountId}`,
  appId: agent.appId,
  accountId,
})

/** The person, as far as that one app. */
export const asUser = (agent: AgentCaller): UserCaller => ({
  kind: 'user',
  ...standingFor(agent),
  keysOf: agent.subject,
  permissions: permissionsOf(agent.rights),
  rights: agent.rights,
  role: null,
  ...{ userId: agent.userId, companyId: agent.companyId, admin: agent.admin },
  reach: { everywhere: false, apps: [agent.appId] },
})
