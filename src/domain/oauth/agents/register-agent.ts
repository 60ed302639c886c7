import { addressBlock } from '../../../lib/addresses/address-block.ts'
import { tooMany } from '../../../lib/fault.ts'
import { digest } from '../../../lib/secret.ts'
import type { Context } from '../../context.ts'
import { type AgentClient, registrationOf } from './agent-client.ts'
import { insertAgentClient } from './agent-client-store.ts'

/** Programs register again at every start; a whole office may do so from one address. */
const maxPerDay = 50

/** RFC 7591, for anybody: a client that nobody lets in opens nothing, and is gone after a day. */
export async function registerAgent(
  context: Pick<Context, 'transaction'>,
  input: { body: Readonly<Record<string, unknown>>; address: string },
): Promise<AgentClient> {
  const wanted = registrationOf(input.body)
  const from = { addressHash: digest(`agent ${addressBlock(input.address)}`), maxPerDay }
  const client = await context.transaction((trx) => insertAgentClient(trx, wanted, from))
  if (!client) throw tooMany(3600)
  return client
}
