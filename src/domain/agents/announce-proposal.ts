import type { Db } from '../../runtime/db/connection.ts'
import { aboutShopOf, newEvent } from '../events/event.ts'
import { emitEvents } from '../events/event-store.ts'
import type { Plan, ProposalStatus } from './proposal.ts'

export interface Announced {
  id: number
  appId: number
  grantId: number
  plan: Pick<Plan, 'tool' | 'integrationId'>
  status: ProposalStatus
}

/** For webhooks of the app: that somebody has to decide, and that somebody has. Nothing of what it is about. */
export async function announceProposal(trx: Db, { id, appId, grantId, plan, status }: Announced): Promise<void> {
  const type = status === 'waiting' ? 'approval.requested' : 'approval.decided'
  const data = {
    id,
    app_id: appId,
    integration_id: plan.integrationId,
    tool: plan.tool,
    agent_id: grantId,
    status,
    href: `/api/2.0/user/apps/${appId}/approvals/${id}`,
  }
  const about = aboutShopOf(appId, plan.integrationId)
  await emitEvents(trx, [newEvent(type, about, { subject: `approval:${id}`, data })])
}
