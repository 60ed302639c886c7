import { Fault, invalidField } from '../../../lib/fault.ts'
import type { Context } from '../../context.ts'
import { invalidClient, invalidRedirectUri } from '../oauth-faults.ts'
import { type AgentClient, isRegistered } from './agent-client.ts'
import { findAgentClient, markAgentClientUsed } from './agent-client-store.ts'
import { type AgentBounds, agentResource, codeSeconds, isAgentResource } from './agent-grant.ts'
import { insertAgentGrant } from './agent-grant-store.ts'
import { insertAgentToken } from './agent-token-store.ts'

/** What a program sends a browser along with (RFC 6749, 7636, 8707). */
export interface Authorization {
  response_type?: string | undefined
  client_id?: string | undefined
  redirect_uri?: string | undefined
  code_challenge?: string | undefined
  code_challenge_method?: string | undefined
  resource?: string | undefined
  state?: string | undefined
}

export interface CheckedAuthorization {
  client: AgentClient
  redirectUri: string
  challenge: string
  state: string | null
  /** What the program is told instead of a code; null where all is well. */
  problem: { error: string; description: string } | null
}

/** Before anything else: who asks, and whether the answer may go there. Whoever cannot say that is told so on our own page. */
export async function checkAuthorization(
  { db, publicUrl }: Pick<Context, 'db' | 'publicUrl'>,
  asked: Authorization,
): Promise<CheckedAuthorization> {
  const client = await findAgentClient(db, asked.client_id ?? '')
  if (!client) throw invalidClient()
  const redirectUri = asked.redirect_uri ?? (client.redirect_uris.length === 1 ? (client.redirect_uris[0] ?? '') : '')
  if (!isRegistered(client, redirectUri)) {
    throw invalidRedirectUri('The redirect_uri is not one that the program has registered.')
  }
  const problem = problemWith(publicUrl, asked)
  return { client, redirectUri, challenge: asked.code_challenge ?? '', state: asked.state ?? null, problem }
}

const maxState = 2000

function problemWith(publicUrl: string, asked: Authorization): CheckedAuthorization['problem'] {
  if (asked.response_type !== 'code') {
    return { error: 'unsupported_response_type', description: 'The response_type is code.' }
  }
  if (asked.code_challenge_method !== 'S256' || !/^[\w-]{43}$/.test(asked.code_challenge ?? '')) {
    return { error: 'invalid_request', description: 'A code_challenge with code_challenge_method=S256 is required.' }
  }
  if (!isAgentResource(publicUrl, asked.resource ?? '')) {
    return { error: 'invalid_target', description: `The resource is ${agentResource(publicUrl)}.` }
  }
  if ((asked.state ?? '').length > maxState) {
    return { error: 'invalid_request', description: `The state has at most ${maxState} characters.` }
  }
  return null
}

/** The address that the browser goes back to, with what it is to bring along (and who says so, RFC 9207). */
export function backTo(
  { publicUrl }: Pick<Context, 'publicUrl'>,
  { redirectUri, state }: Pick<CheckedAuthorization, 'redirectUri' | 'state'>,
  answer: Readonly<Record<string, string>>,
): string {
  const url = new URL(redirectUri)
  for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value)
  if (state !== null) url.searchParams.set('state', state)
  url.searchParams.set('iss', publicUrl)
  return url.href
}

export interface Consent extends AgentBounds {
  userId: number
  appId: number
  asked: Authorization
}

/** A person has agreed: the bounds are kept, and the program gets a code for them that works once. */
export async function letAgentIn(context: Context, { asked, userId, appId, ...bounds }: Consent): Promise<string> {
  const checked = await checkAuthorization(context, asked)
  if (checked.problem) throw invalidField('request', checked.problem.description)
  const code = await context.transaction(async (trx) => {
    if (!(await markAgentClientUsed(trx, checked.client.id))) throw gone()
    const grantId = await insertAgentGrant(trx, { clientId: checked.client.id, userId, appId, ...bounds })
    const { redirectUri, challenge } = checked
    return await insertAgentToken(trx, { grantId, kind: 'code', seconds: codeSeconds, redirectUri, challenge })
  })
  return backTo(context, checked, { code })
}

/** It was deleted since the page was opened. */
const gone = () => new Fault('conflict', 'The program has to register again. Start once more from there.')
