import { Type } from 'typebox'
import {
  joiningRoles,
  logoutUri,
  noSingleSignOn,
  proofName,
  proofText,
  redirectUri,
  type SingleSignOn,
  type SingleSignOnDomain,
} from '../../../../domain/oauth/single-sign-on/single-sign-on.ts'
import { choice, nullable } from '../../../../lib/validation/fields.ts'

const maybeText = Type.Union([Type.String(), Type.Null()])

export const domainSchema = Type.Object({
  id: Type.Integer(),
  domain: Type.String(),
  record: Type.Object(
    { name: Type.String(), value: Type.String() },
    { description: 'The TXT record by which the domain is proved' },
  ),
  proved_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
})

export const singleSignOnSchema = Type.Object({
  issuer: Type.Union([Type.String(), Type.Null()], { description: 'Null: there is no single sign-on' }),
  client_id: maybeText,
  has_client_secret: Type.Boolean(),
  redirect_uri: Type.String({ description: 'What the identity provider has to know' }),
  logout_uri: Type.String({
    description: 'Where the identity provider says that somebody is signed out there (back-channel logout)',
  }),
  create_users: Type.Boolean(),
  default_role: nullable(choice(joiningRoles)),
  required: Type.Boolean(),
  trust_second_factor: Type.Boolean(),
  trust_addresses: Type.Boolean(),
  domains: Type.Array(domainSchema),
})

export const domainView = ({ id, domain, proof, proved_at }: SingleSignOnDomain) => ({
  id,
  domain,
  record: { name: proofName(domain), value: proofText(proof) },
  proved_at,
})

export const singleSignOnView = (
  { publicUrl }: { publicUrl: string },
  companyId: number,
  { settings, domains }: { settings: SingleSignOn | null; domains: readonly SingleSignOnDomain[] },
) => ({
  ...(settings ?? { ...noSingleSignOn, issuer: null, client_id: null }),
  redirect_uri: redirectUri(publicUrl, companyId),
  logout_uri: logoutUri(publicUrl, companyId),
  domains: domains.map(domainView),
})
