import { Type } from 'typebox'
import { backTo, checkAuthorization } from '../../../../domain/oauth/agents/authorize-agent.ts'
import { invalidField } from '../../../../lib/fault.ts'
import { object } from '../../../../lib/validation/fields.ts'
import { record } from '../../../../runtime/http/endpoint.ts'
import { endpoint } from '../../../define.ts'
import { groups } from '../../../groups.ts'
import { chosenTools } from '../../../mcp/tools/index.ts'
import { requestFields } from '../../../oauth/agents.ts'
import { nullableText } from '../../views/record.ts'

const tool = Type.Object({
  name: Type.String(),
  title: Type.String(),
  description: Type.String(),
  writes: Type.Boolean(),
})

const get = endpoint({
  group: groups.user,
  method: 'GET',
  path: '/agent-request',
  right: 'read-app',
  extension: true,
  summary: 'Look at the request of an agent to be let in',
  description: 'By what `/oauth/authorize` was called with: who asks, what can be given, and where a refusal leads.',
  query: object(requestFields),
  returns: record(
    Type.Object({
      name: Type.String({ description: 'What the program calls itself; nobody has checked it' }),
      uri: nullableText,
      redirect_host: Type.String({ description: 'Where the answer goes' }),
      registered_at: Type.String({ format: 'date-time' }),
      refuse_url: Type.String({ description: 'Tells the program that nobody let it in' }),
      tools: Type.Array(tool),
    }),
  ),
  async handle({ context, query }) {
    const checked = await checkAuthorization(context, query)
    if (checked.problem) throw invalidField('request', checked.problem.description)
    return {
      name: checked.client.name,
      uri: checked.client.uri,
      redirect_host: new URL(checked.redirectUri).host,
      registered_at: checked.client.created_at,
      refuse_url: backTo(context, checked, { error: 'access_denied' }),
      tools: chosenTools.map(({ name, title, description, kind }) => ({
        name,
        title,
        description,
        writes: kind === 'write',
      })),
    }
  },
})

export const userAgentRequests = [get]
