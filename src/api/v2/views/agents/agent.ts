import { type Static, Type } from 'typebox'
import type { AgentGrant } from '../../../../domain/oauth/agents/agent-grant.ts'
import { nullable } from '../../../../lib/validation/fields.ts'
import { idField, nullableText, nullableTimestamp, timestamp } from '../record.ts'

const program = Type.Object({
  id: Type.Integer({ description: 'As the audit trail names it' }),
  name: Type.String({ description: 'What it calls itself; nobody has checked it' }),
  uri: nullableText,
})

/** Somebody of the company; without a name once they are gone. */
export const person = Type.Object({ id: Type.Integer(), name: nullableText })

export const agentSchema = Type.Object({
  id: idField,
  program,
  user: person,
  shops: nullable(Type.Array(Type.Integer(), { description: 'Ids of integrations; null is every shop of the app' })),
  tools: Type.Array(Type.String()),
  customer_data: Type.Boolean({ description: 'Whether it is shown who bought' }),
  calls_per_hour: Type.Integer(),
  calls_used: Type.Integer({ description: 'In this hour' }),
  writes_per_day: Type.Integer(),
  writes_used: Type.Integer({ description: 'Today, by UTC' }),
  created_at: timestamp,
  last_used_at: nullableTimestamp,
})

export const agentView = (grant: AgentGrant): Static<typeof agentSchema> => ({
  id: grant.id,
  program: { id: grant.client_id, name: grant.client_name, uri: grant.client_uri },
  user: { id: grant.user_id, name: grant.user_name },
  shops: grant.shops && [...grant.shops],
  tools: [...grant.tools],
  customer_data: grant.customer_data,
  calls_per_hour: grant.calls_per_hour,
  calls_used: grant.calls,
  writes_per_day: grant.writes_per_day,
  writes_used: grant.writes,
  created_at: grant.created_at,
  last_used_at: grant.last_used_at,
})
