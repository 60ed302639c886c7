import { Type } from 'typebox'
import { agentResource } from '../../domain/oauth/agents/agent-grant.ts'
import { backTo, checkAuthorization } from '../../domain/oauth/agents/authorize-agent.ts'
import { registerAgent } from '../../domain/oauth/agents/register-agent.ts'
import { malformedRequest } from '../../domain/oauth/oauth-faults.ts'
import { Fault } from '../../lib/fault.ts'
import { anything, object, optional, text } from '../../lib/validation/fields.ts'
import { answer, raw } from '../../runtime/http/endpoint.ts'
import { endpoint } from '../define.ts'
import { groups } from '../groups.ts'

/** How agents find us, make themselves known, and ask a person to let them in. */

const texts = Type.Array(Type.String())

const resourceAt = (path: '/.well-known/oauth-protected-resource' | '/.well-known/oauth-protected-resource/mcp') =>
  endpoint({
    group: groups.wellKnown,
    method: 'GET',
    path,
    extension: true,
    summary: `Say who lets agents in at /mcp (RFC 9728)${path.endsWith('/mcp') ? ', by its own path' : ''}`,
    openBecause: 'Open to everybody.',
    returns: raw(
      Type.Object({
        resource: Type.String(),
        resource_name: Type.String(),
        authorization_servers: texts,
        bearer_methods_supported: texts,
        resource_documentation: Type.String(),
      }),
    ),
    handle: async ({ context: { publicUrl } }) => ({
      resource: agentResource(publicUrl),
      resource_name: 'Entrepot',
      authorization_servers: [publicUrl],
      bearer_methods_supported: ['header'],
      resource_documentation: `${publicUrl}/docs/guides/agents`,
    }),
  })

const optionalTexts = Type.Optional(texts)

const register = endpoint({
  group: groups.oauth,
  method: 'POST',
  path: '/oauth/register',
  extension: true,
  summary: 'Register an agent (RFC 7591)',
  description:
    'For programs that a person will let in: a public client with `authorization_code` and PKCE. Redirect URIs are https, or http on 127.0.0.1, [::1] and localhost under any port. At most 50 a day from one address; one that nobody lets in is deleted after a day.',
  openBecause: 'Open to everybody: a client that nobody lets in opens nothing.',
  unauditedBecause: 'It opens nothing until a person agrees, which is in the trail.',
  body: anything(),
  bodyDocs: {
    schema: Type.Object({
      redirect_uris: texts,
      client_name: Type.Optional(Type.String({ description: 'Shown to the person, as unverified' })),
      client_uri: Type.Optional(Type.String()),
      grant_types: optionalTexts,
      response_types: optionalTexts,
      token_endpoint_auth_method: Type.Optional(Type.Literal('none')),
    }),
    example: { client_name: 'An agent', redirect_uris: ['http://127.0.0.1/callback'] },
  },
  malformedBody: malformedRequest,
  status: 201,
  returns: raw(
    Type.Object({
      client_id: Type.String({ format: 'uuid' }),
      client_id_issued_at: Type.Integer(),
      client_name: Type.String(),
      client_uri: Type.Optional(Type.String()),
      redirect_uris: texts,
      grant_types: texts,
      response_types: texts,
      token_endpoint_auth_method: Type.Literal('none'),
    }),
  ),
  async handle({ context, body, request: { address } }) {
    if (typeof body !== 'object' || body === null) throw malformedRequest()
    const client = await registerAgent(context, { body: { ...body }, address })
    return {
      client_id: client.public_id,
      client_id_issued_at: Math.floor(Date.parse(client.created_at) / 1000),
      client_name: client.name,
      ...(client.uri !== null && { client_uri: client.uri }),
      redirect_uris: client.redirect_uris,
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none' as const,
    }
  },
})

const parameter = (max: number, description: string) => text({ max, description })

/** What a program asks with, as the person who decides passes it on. */
export const requestFields = {
  response_type: parameter(50, '`code`'),
  client_id: parameter(100, 'As it was registered'),
  redirect_uri: parameter(2000, 'One of those that were registered'),
  code_challenge: parameter(200, 'RFC 7636'),
  code_challenge_method: parameter(50, '`S256`'),
  resource: parameter(500, 'The address of /mcp (RFC 8707)'),
  state: optional(parameter(4000, 'Comes back as it is')),
}

/** As it comes from the program: what is missing is said where the program hears it. */
const authorizationQuery = object({
  response_type: optional(requestFields.response_type),
  client_id: optional(requestFields.client_id),
  redirect_uri: optional(requestFields.redirect_uri),
  code_challenge: optional(requestFields.code_challenge),
  code_challenge_method: optional(requestFields.code_challenge_method),
  resource: optional(requestFields.resource),
  state: requestFields.state,
  scope: optional(parameter(2000, 'Ignored: the person chooses')),
})

const authorize = endpoint({
  group: groups.oauth,
  method: 'GET',
  path: '/oauth/authorize',
  extension: true,
  summary: 'Ask a person to let an agent in',
  description:
    'For browsers: leads to a page of the console, where a person who is signed in chooses app, shops, tools and budget. What is wrong with the request is said to the program at its `redirect_uri`; where that is unknown, here.',
  openBecause: 'It shows and opens nothing: the person signs in on the page that it leads to.',
  query: authorizationQuery,
  status: 302,
  returns: answer(),
  async handle({ context, query }) {
    const { scope: _, ...asked } = query
    const checked = await checkAuthorization(context, asked).catch((error: unknown) => {
      // A browser is told by 400: nobody who sent it here can be told.
      if (error instanceof Fault && error.oauth) throw new Fault('malformed', unknownProgram)
      throw error
    })
    const parameters = new URLSearchParams()
    for (const [name, value] of Object.entries(asked)) if (value !== undefined) parameters.set(name, value)
    const { problem } = checked
    const location = problem
      ? backTo(context, checked, { error: problem.error, error_description: problem.description })
      : `${context.publicUrl}/console/let-in?${parameters}`
    return { status: 302, headers: { location, 'cache-control': 'no-store' } }
  },
})

const unknownProgram =
  'The program that sent you here is not registered, or wants you to be sent somewhere it has not registered. Connect once more from there.'

export const oauthAgents = [
  resourceAt('/.well-known/oauth-protected-resource'),
  resourceAt('/.well-known/oauth-protected-resource/mcp'),
  register,
  authorize,
]
