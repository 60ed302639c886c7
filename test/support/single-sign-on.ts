import { randomUUID } from 'node:crypto'
import type { Context } from '../../src/domain/context.ts'
import { insertDomain, markProved } from '../../src/domain/oauth/single-sign-on/domain-store.ts'
import { redirectUri, type SingleSignOn } from '../../src/domain/oauth/single-sign-on/single-sign-on.ts'
import { saveSingleSignOn } from '../../src/domain/oauth/single-sign-on/single-sign-on-store.ts'
import { makeCompany } from './identity.ts'
import type { TestAnswer, TestServer } from './server.ts'

export const ours = { 'x-entrepot-console': '1' }

/** A company with a proved domain, before it has a provider. */
export async function makeDomain(context: Context): Promise<{ companyId: number; domain: string; redirect: string }> {
  const companyId = await makeCompany(context)
  const domain = `${randomUUID()}.example.com`
  const claimed = await insertDomain(context.db, { companyId, domain, proof: randomUUID() })
  await markProved(context.db, companyId, claimed?.id ?? 0)
  return { companyId, domain, redirect: redirectUri(context.publicUrl, companyId) }
}

interface Given extends Partial<Omit<SingleSignOn, 'has_client_secret'>> {
  issuer: string
  client_id: string
  secret: string | null
}

export async function setUp(context: Context, companyId: number, { secret, ...given }: Given): Promise<void> {
  const usual = { create_users: false, default_role: null, required: false } as const
  const trust = { trust_second_factor: false, trust_addresses: false }
  await saveSingleSignOn(context.db, context.keys, { companyId, wanted: { ...usual, ...trust, ...given }, secret })
}

/** The browser of somebody who signs in: what it was sent to, and how it goes on when it comes back. */
export interface Browser {
  url: string
  cookie: string
}

export async function setOut(server: Pick<TestServer, 'call'>, email: string): Promise<Browser> {
  const answer = await server.call('POST', '/console/session/single-sign-on', { body: { email }, headers: ours })
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`)
  const { url } = answer.json['data'] as { url: string }
  return { url, cookie: String(answer.headers['set-cookie']).split(';')[0] ?? '' }
}

export const comeBack = (server: Pick<TestServer, 'call'>, { cookie }: Pick<Browser, 'cookie'>, to: URL) =>
  server.call('POST', '/console/session/single-sign-on/finish', {
    body: { company: Number(to.pathname.split('/').at(-1)), answer: to.search },
    headers: { ...ours, cookie },
  })

export const reasonOf = ({ json }: TestAnswer): string | undefined =>
  (json['errors'] as Record<string, string[]> | undefined)?.['single_sign_on']?.[0]

/** Who is signed in with the cookie of an answer. */
export async function whoIs(server: Pick<TestServer, 'call'>, { headers }: TestAnswer) {
  const cookie = String(headers['set-cookie']).split(';')[0] ?? ''
  const answer = await server.call('GET', '/console/session', { headers: { ...ours, cookie } })
  return answer.json['data'] as { id: number; email: string; company_role: string | null } | undefined
}
