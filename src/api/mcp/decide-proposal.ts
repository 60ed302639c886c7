import { announceProposal } from '../../domain/agents/announce-proposal.ts'
import { type Proposal, type ProposalAnswer, proposalKey } from '../../domain/agents/proposal.ts'
import { decide, findProposal, finishProposal } from '../../domain/agents/proposal-store.ts'
import type { Context } from '../../domain/context.ts'
import { readAgentOfGrant } from '../../domain/oauth/agents/read-agent.ts'
import { reaches, type UserCaller } from '../../domain/tenant.ts'
import { Fault, forbidden, invalidField } from '../../lib/fault.ts'
import { type Asking, createAsking, type From, type ToolResult } from './tool.ts'
import { toolNamed } from './tools/index.ts'

/** So long whoever approved is given to carry it out, before somebody may take it up again. */
const takenUpAfterMs = 60_000
/** Answers are kept under their keys for a day. */
const answerKeptMs = 23 * 3600 * 1000

/**
 * Carries out what an agent asked for, once: only one click turns it from waiting to approved, and the endpoint is asked under
 * a key of the proposal's own. Where that was cut short, a later click asks again under the same key and gets what came of it.
 */
export async function approveProposal(
  context: Context,
  caller: UserCaller,
  { proposal, from }: { proposal: Proposal; from: From },
): Promise<Proposal> {
  const { id, app_id: appId } = proposal
  const { inside } = context
  if (!inside) throw new Error('Nobody answers here.')
  if (proposal.status === 'expired') throw invalidField('approval', 'It has expired: the agent has to ask again.')
  const agent = await readAgentOfGrant(context.db, proposal.grant_id)
  if (!agent) throw invalidField('approval', 'The agent is no longer let in.')
  const isTaken = await context.transaction((trx) =>
    decide(trx, { id, appId, userId: caller.userId, status: 'approved' }),
  )
  const now = isTaken ? proposal : await findProposal(context.db, context.keys, { appId, id })
  if (!isTaken && !isStuck(now)) return now
  const asking = createAsking({ ...context, inside }, agent, from)
  const { status, headers, body } = await asking.perform(proposal.plan.request, proposalKey(id))
  // Somebody else is at it for as long as a time to come back is said; where none is, the answer is lost for good.
  const isUnderWay = status === 409 && headers['retry-after'] !== undefined
  // Not our day: nothing is known yet, and the same click works again.
  if (status >= 500 || status === 429 || isUnderWay) throw notYet(status)
  const isDone = status < 300
  const tool = toolNamed(proposal.tool)
  const shown = isDone && tool?.kind === 'write' ? withoutBuyer(asking, (one) => tool.view(one, body)) : reasonIn(body)
  const answer: ProposalAnswer = { status, body: shown }
  const outcome = isDone ? 'done' : 'failed'
  await context.transaction(async (trx) => {
    const isFinished = await finishProposal(trx, context.keys, proposal, { status: outcome, answer })
    if (!isFinished) return
    await announceProposal(trx, { id, appId, grantId: proposal.grant_id, plan: proposal.plan, status: outcome })
  })
  return await findProposal(context.db, context.keys, { appId, id })
}

/**
 * What came of it is kept for a month, where no erasure looks: so it never says who bought. Whoever may see that reads the order.
 */
function withoutBuyer({ agent, ...asking }: Asking, view: (asking: Asking) => ToolResult): ToolResult['data'] {
  const bounds = { ...agent.bounds, customer_data: false }
  const { customer: _, ...kept } = view({ ...asking, agent: { ...agent, bounds } }).data
  return kept
}

const notYet = (status: number) =>
  new Fault(
    'unavailable',
    'It is approved, but the shop or the service did not answer. Approve it again in a minute.',
    {
      retryAfterSeconds: status === 429 ? 60 : 10,
    },
  )

/** It was approved, and whoever did so was cut off. */
function isStuck({ status, decided_at: at }: Proposal): boolean {
  const age = at === null ? 0 : Date.now() - Date.parse(at)
  return status === 'approved' && age > takenUpAfterMs && age < answerKeptMs
}

const reasonIn = (body: unknown): Record<string, unknown> => {
  if (typeof body !== 'object' || body === null) return {}
  const { message, errors } = body as { message?: unknown; errors?: unknown }
  return { message, ...(errors !== undefined && { errors }) }
}

/** Nothing is done, and the agent hears so when it asks. Whoever comes second finds what was decided. */
export async function refuseProposal(context: Context, caller: UserCaller, proposal: Proposal): Promise<Proposal> {
  const { id, app_id: appId, grant_id: grantId, plan } = proposal
  await context.transaction(async (trx) => {
    const isDecided = await decide(trx, { id, appId, userId: caller.userId, status: 'refused' })
    if (isDecided) await announceProposal(trx, { id, appId, grantId, plan, status: 'refused' })
  })
  return await findProposal(context.db, context.keys, { appId, id })
}

/** Nobody approves what they may not do themselves. */
export function demandRight(caller: UserCaller, proposal: Proposal): void {
  const tool = toolNamed(proposal.tool)
  if (tool?.kind !== 'write' || !caller.rights.has(tool.right)) throw forbidden()
  if (!reaches(caller.within?.(tool.right) ?? caller, proposal.app_id)) throw forbidden()
}
