import { domainToASCII } from 'node:url'
import { foldEmail } from '../../../lib/identity/fold-email.ts'
import type { Role } from '../../rights.ts'

/** Roles that somebody gets by coming in: owners are made by owners. */
export const joiningRoles = ['admin', 'operator', 'support', 'billing'] as const satisfies readonly Role[]
export type JoiningRole = (typeof joiningRoles)[number]

/** How members of a company sign in at an identity provider of its own. */
export interface SingleSignOn {
  issuer: string
  client_id: string
  has_client_secret: boolean
  create_users: boolean
  default_role: JoiningRole | null
  required: boolean
  trust_second_factor: boolean
  trust_addresses: boolean
}

export interface SingleSignOnDomain {
  id: number
  domain: string
  proof: string
  proved_at: string | null
}

/** One for each company, so that the answer of one provider is never taken for that of another. */
export const redirectUri = (publicUrl: string, companyId: number): string =>
  `${publicUrl}/console/single-sign-on/${companyId}`

/** Where the provider says that somebody is signed out there. */
export const logoutUri = (publicUrl: string, companyId: number): string => `${redirectUri(publicUrl, companyId)}/logout`

/** Where the proof of a domain is looked for, and what it looks like there. */
export const proofName = (domain: string): string => `_entrepot.${domain}`
export const proofText = (proof: string): string => `entrepot-domain=${proof}`

/** As name servers know it; null for what is no domain that addresses could have. */
export function foldDomain(written: string): string | null {
  const domain = domainToASCII(foldEmail(written.trim()).replace(/\.$/, ''))
  return domain.length <= 253 && /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])$/.test(domain)
    ? domain
    : null
}

export const domainOf = (email: string): string | null => {
  const at = email.lastIndexOf('@')
  return at < 1 ? null : foldDomain(email.slice(at + 1))
}

/** "Multiple-factor authentication" of RFC 8176. What `acr` says means something else at each provider. */
export const hasSecondFactor = (methods: readonly string[]): boolean => methods.includes('mfa')

/** Before anything is set up. */
export const noSingleSignOn: SingleSignOn = {
  issuer: '',
  client_id: '',
  has_client_secret: false,
  create_users: false,
  default_role: null,
  required: false,
  trust_second_factor: false,
  trust_addresses: false,
}
