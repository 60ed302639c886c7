import { type Static, Type } from 'typebox'
import { type Proposal, proposalStatuses } from '../../../../domain/agents/proposal.ts'
import { choice, nullable } from '../../../../lib/validation/fields.ts'
import { toolNamed } from '../../../mcp/tools/index.ts'
import { idField, nullableId, nullableText, nullableTimestamp, timestamp } from '../record.ts'
import { person } from './agent.ts'

export const approvalSchema = Type.Object({
  id: idField,
  status: choice(proposalStatuses, '`approved`: it is being carried out'),
  tool: Type.String(),
  title: Type.String({ description: 'What the tool does, in words' }),
  integration_id: nullableId,
  shop: nullableText,
  agent_id: Type.Integer(),
  program: Type.Object({ id: Type.Integer(), name: Type.String() }),
  user: person,
  says: Type.Array(Type.Object({ name: Type.String(), value: Type.String() }), { description: 'What will be done' }),
  request: Type.Object(
    { method: Type.String(), url: Type.String(), body: Type.Unknown() },
    { description: 'The request that is made when it is approved, word for word' },
  ),
  answer: Type.Unsafe<unknown>({
    type: ['object', 'null'],
    description: 'What came of it: `status` of the answer and `body`',
  }),
  created_at: timestamp,
  expires_at: timestamp,
  decided_at: nullableTimestamp,
  decided_by: nullable(person),
  finished_at: nullableTimestamp,
})

export const approvalView = (proposal: Proposal): Static<typeof approvalSchema> => {
  const { method, url, body } = proposal.plan.request
  return {
    id: proposal.id,
    status: proposal.status,
    tool: proposal.tool,
    title: toolNamed(proposal.tool)?.title ?? proposal.tool,
    integration_id: proposal.integration_id,
    shop: proposal.shop,
    agent_id: proposal.grant_id,
    program: { id: proposal.client_id, name: proposal.client_name },
    user: { id: proposal.user_id, name: proposal.user_name },
    says: proposal.plan.says.map((one) => ({ ...one })),
    request: { method, url, body },
    answer: proposal.answer,
    created_at: proposal.created_at,
    expires_at: proposal.expires_at,
    decided_at: proposal.decided_at,
    decided_by: proposal.decided_by === null ? null : { id: proposal.decided_by, name: proposal.decided_by_name },
    finished_at: proposal.finished_at,
  }
}
