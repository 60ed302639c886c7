import { randomUUID } from 'node:crypto'
import { announceProposal } from '../../domain/agents/announce-proposal.ts'
import { type Plan, proposalSeconds } from '../../domain/agents/proposal.ts'
import { insertProposal, readAgentWrites } from '../../domain/agents/proposal-store.ts'
import type { Context, Inside } from '../../domain/context.ts'
import { spend } from '../../domain/oauth/agents/agent-grant-store.ts'
import type { AgentCaller } from '../../domain/tenant.ts'
import { Fault } from '../../lib/fault.ts'
import { validate } from '../../lib/validation/validate.ts'
import {
  type Asking,
  createAsking,
  type From,
  refusalOf,
  type Tool,
  ToolRefusal,
  type ToolResult,
  type WriteTool,
} from './tool.ts'
import { toolNamed } from './tools/index.ts'

export interface ToolAnswer extends ToolResult {
  isError: boolean
}

/** More than this no agent can make use of. */
const maxBytes = 64 * 1024

/**
 * One call of a tool: within the bounds of the agent, counted, and in the audit trail if it was refused or changes something.
 * Whatever is wrong is said to the agent as an answer, so that it can do better.
 */
export async function callTool(
  context: Context & { inside: Inside },
  agent: AgentCaller,
  { name, input, from }: { name: string; input: unknown; from: From },
): Promise<ToolAnswer> {
  const tool = toolNamed(name)
  const note = (detail: string, outcome: 'done' | 'refused', about: { plan?: Plan; proposalId?: number } = {}) =>
    context.inside.note({
      caller: { clientId: agent.clientId, onBehalfOf: agent.userId, appId: agent.appId },
      tool: tool?.name ?? 'unknown',
      what: tool?.title ?? 'Call a tool that there is not',
      ...{ detail, outcome, ...from },
      integrationId: about.plan?.integrationId ?? shopIn(input),
      ...(about.proposalId !== undefined && { proposalId: about.proposalId }),
    })
  try {
    if (!tool) throw new ToolRefusal('unknown_tool', 'There is no such tool.')
    if (!tool.always && !agent.bounds.tools.includes(tool.name)) {
      throw new ToolRefusal('outside_tools', `You were not given the tool ${tool.name}.`)
    }
    const asking = createAsking(context, agent, from)
    asking.used = await withinBudget(context, agent, 'call')
    const checked = validate(tool.input, input ?? {})
    if (!checked.ok) {
      throw new ToolRefusal('invalid', Object.values(checked.errors).flat().join(' '), { errors: checked.errors })
    }
    if (tool.kind === 'read') return bounded(await tool.run(asking, checked.value))
    return bounded(await change(asking, tool, { input: checked.value, note }))
  } catch (error) {
    const refusal = asRefusal(error)
    if (!refusal) throw error
    // What was merely misspelt, or the shop does not have, is nobody's business later.
    if (isNoted(tool, refusal)) await note(refusal.detail, 'refused')
    return { text: refusal.message, data: { error: refusal.detail, ...refusal.data }, isError: true }
  }
}

type Noting = (
  detail: string,
  outcome: 'done' | 'refused',
  about?: { plan?: Plan; proposalId?: number },
) => Promise<void>

async function change(
  asking: Asking,
  tool: WriteTool,
  { input, note }: { input: unknown; note: Noting },
): Promise<ToolResult> {
  const { context, agent } = asking
  const plan = await tool.plan(asking, input)
  await withinBudget(context, agent, 'write')
  const isDirect = (await readAgentWrites(context.db, agent.appId)).includes(tool.name)
  if (isDirect) {
    // The endpoint writes its own entry; this one says that an agent did it, and that nobody was asked.
    await note('without_approval', 'done', { plan })
    const { status, body } = await asking.perform(plan.request, randomUUID())
    if (status >= 300) throw refusalOf(status, body)
    return tool.view(asking, body)
  }
  const { grantId, clientId, appId } = agent
  const { id, isNew } = await context.transaction(async (trx) => {
    const made = await insertProposal(trx, context.keys, { grantId, clientId, appId, plan })
    if (made.isNew) await announceProposal(trx, { ...agent, id: made.id, plan, status: 'waiting' })
    return made
  })
  if (isNew) await note('waits_for_approval', 'done', { plan, proposalId: id })
  return {
    text: `Nothing was changed yet: a person has to approve it. Ask approval_status for ${id} later.`,
    data: {
      status: 'waiting_for_approval',
      approval_id: id,
      expires_in_seconds: proposalSeconds,
      approve_at: `${context.publicUrl}/console/apps/${appId}/approvals`,
    },
  }
}

async function withinBudget(context: Context, agent: AgentCaller, kind: 'call' | 'write') {
  const { calls_per_hour: perHour, writes_per_day: perDay } = agent.bounds
  const used = await spend(context.db, agent.grantId, kind)
  if (!used) throw new ToolRefusal('ended', 'You are no longer let in.')
  if (kind === 'call' && used.calls > perHour) {
    throw new ToolRefusal('over_budget', `Your ${perHour} calls of this hour are used up.`, { calls_per_hour: perHour })
  }
  if (kind === 'write' && used.writes > perDay) {
    throw new ToolRefusal('over_budget', `Your ${perDay} changes of today are used up.`, { writes_per_day: perDay })
  }
  return used
}

function asRefusal(error: unknown): ToolRefusal | null {
  if (error instanceof ToolRefusal) return error
  if (!(error instanceof Fault)) return null
  return new ToolRefusal(error.kind, error.message)
}

const outOfBounds = /^(unknown_tool|outside_|over_budget|ended|answered_403)/

const isNoted = (tool: Tool | undefined, { detail }: ToolRefusal): boolean =>
  outOfBounds.test(detail) || (tool?.kind === 'write' && detail !== 'invalid')

const shopIn = (input: unknown): number | null => {
  const shop = typeof input === 'object' && input !== null && 'shop_id' in input ? Number(input.shop_id) : Number.NaN
  return Number.isSafeInteger(shop) && shop > 0 ? shop : null
}

function bounded(result: ToolResult): ToolAnswer {
  const bytes = Buffer.byteLength(JSON.stringify(result.data))
  if (bytes <= maxBytes) return { ...result, isError: false }
  throw new ToolRefusal('too_large', 'The answer is too large. Ask for less: name a shop, a state or a time.')
}
