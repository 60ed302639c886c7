import { Type } from 'typebox'
import type { Context } from '../../domain/context.ts'
import type { AgentCaller } from '../../domain/tenant.ts'
import { type Answer, answer, type RequestFacts } from '../../runtime/http/endpoint.ts'
import { bearer } from '../../runtime/http/guard.ts'
import { endpoint } from '../define.ts'
import { groups } from '../groups.ts'

/** The address of agents. Answers are JSON; there is no stream to listen to, so GET and DELETE are 405. */

const serve = endpoint({
  group: groups.mcp,
  method: 'POST',
  path: '/mcp',
  extension: true,
  summary: 'Speak the Model Context Protocol',
  description:
    'Streamable HTTP without sessions, for agents that a person has let in. 401 says where to ask (`resource_metadata`).',
  openBecause: 'Opened by a token of an agent, which opens nothing else.',
  unauditedBecause: 'Each tool writes its own entry, and so does each endpoint that a tool asks.',
  countsRefusals: true,
  bodyType: 'raw',
  bodyLimit: 256 * 1024,
  bodyDocs: {
    schema: Type.Object({ jsonrpc: Type.Literal('2.0'), method: Type.String(), id: Type.Optional(Type.Integer()) }),
    example: { jsonrpc: '2.0', method: 'tools/list', id: 1 },
  },
  status: 200,
  returns: answer(Type.Unsafe<Record<string, unknown>>({ type: 'object', description: 'JSON-RPC 2.0' })),
  async handle({ context, request }) {
    const agent = await agentIn(context, request)
    const { inside } = context
    if (!agent || !inside) {
      request.countRefusal()
      return refused(context, request)
    }
    // The library comes with the first agent: most processes never see one.
    const { serveMcp } = await import('./serve-mcp.ts')
    const { address, requestId, raw: body } = request
    return await serveMcp({ ...context, inside }, agent, { headers: request.headers(), body, address, requestId })
  },
})

async function agentIn(context: Context, request: RequestFacts): Promise<AgentCaller | null> {
  const token = bearer(request.header('authorization'))
  const caller = token === null ? null : await context.identify(token)
  return caller?.kind === 'agent' ? caller : null
}

/** Where a person can let the program in (RFC 9728). */
function refused({ publicUrl }: Context, request: RequestFacts): Answer {
  const metadata = `resource_metadata="${publicUrl}/.well-known/oauth-protected-resource/mcp"`
  const sent = request.header('authorization') !== undefined
  return {
    status: 401,
    headers: { 'www-authenticate': sent ? `Bearer error="invalid_token", ${metadata}` : `Bearer ${metadata}` },
    body: { message: 'Unauthenticated.' },
  }
}

export const mcp = [serve]
