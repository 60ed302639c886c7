import { findCompany } from '../../../domain/companies/company-store.ts'
import type { Context } from '../../../domain/context.ts'
import { changeSingleSignOn, removeSingleSignOn } from '../../../domain/oauth/single-sign-on/change-single-sign-on.ts'
import { readDomains } from '../../../domain/oauth/single-sign-on/domain-store.ts'
import { forgetAtProvider } from '../../../domain/oauth/single-sign-on/forget-at-provider.ts'
import { claimDomain, giveUpDomain, proveDomain } from '../../../domain/oauth/single-sign-on/prove-domain.ts'
import { joiningRoles } from '../../../domain/oauth/single-sign-on/single-sign-on.ts'
import { readSingleSignOn } from '../../../domain/oauth/single-sign-on/single-sign-on-store.ts'
import type { UserCaller } from '../../../domain/tenant.ts'
import { findUser } from '../../../domain/users/user-store.ts'
import { recordId } from '../../../lib/record-id.ts'
import { choice, flag, maybe, object, optional, text } from '../../../lib/validation/fields.ts'
import { nothing, record } from '../../../runtime/http/endpoint.ts'
import { endpoint, type Finding } from '../../define.ts'
import { groups } from '../../groups.ts'
import { domainSchema, domainView, singleSignOnSchema, singleSignOnView } from '../views/sign-in/single-sign-on.ts'

const shared = { group: groups.user, right: 'manage-single-sign-on', extension: true } as const

const find = ({ context, caller, params }: Finding<UserCaller, 'company'>) =>
  findCompany(context.db, caller, recordId(params.company))

const shown = async (context: Context, companyId: number) =>
  singleSignOnView(context, companyId, {
    settings: await readSingleSignOn(context.db, companyId),
    domains: await readDomains(context.db, companyId),
  })

const get = endpoint({
  ...shared,
  method: 'GET',
  path: '/companies/{company}/single-sign-on',
  summary: 'How members of a company sign in at its identity provider',
  find,
  returns: record(singleSignOnSchema),
  handle: ({ context, found }) => shown(context, found.id),
})

const update = endpoint({
  ...shared,
  method: 'PUT',
  path: '/companies/{company}/single-sign-on',
  summary: 'Set up single sign-on for a company',
  description:
    'OpenID Connect with the authorization code flow. The issuer is asked what it says of itself before anything is saved. With another issuer, what was known of people at the one before is forgotten.',
  find,
  body: object({
    issuer: optional(text({ max: 500, description: 'As the provider states it, such as https://login.example.com' })),
    client_id: optional(text({ max: 255 })),
    client_secret: maybe(text({ max: 1000, description: 'Left out: as it is. Null: a client without one' })),
    create_users: optional(flag('Whoever is of a proved domain and not a user yet becomes one')),
    default_role: maybe(choice(joiningRoles, 'Of those who become users. Null: none')),
    required: optional(flag('Passwords and passkeys sign in nobody but owners, who need a second factor then')),
    trust_second_factor: optional(
      flag('The provider asks for a second factor, even where it does not say so by `mfa` in `amr`'),
    ),
    trust_addresses: optional(
      flag('Addresses are verified there, even where the provider leaves out `email_verified`'),
    ),
  }),
  example: {
    issuer: 'https://login.example.com',
    client_id: 'entrepot',
    client_secret: 'q2R…',
    create_users: true,
    default_role: 'operator',
  },
  returns: record(singleSignOnSchema),
  handle: async ({ context, caller, found, body }) => {
    await changeSingleSignOn(context, caller, { companyId: found.id, changes: body })
    return await shown(context, found.id)
  },
})

const remove = endpoint({
  ...shared,
  method: 'POST',
  path: '/companies/{company}/single-sign-on/remove',
  summary: 'Switch single sign-on off',
  description: 'Whoever is on the way to the provider does not arrive. Domains stay proved.',
  find,
  returns: nothing,
  handle: ({ context, found }) => removeSingleSignOn(context, found.id),
})

const claim = endpoint({
  ...shared,
  method: 'POST',
  path: '/companies/{company}/single-sign-on/domains',
  summary: 'Name a domain of e-mail addresses',
  description: 'It counts once it is proved, by the TXT record in the answer.',
  find,
  body: object({ domain: text({ max: 253 }) }),
  example: { domain: 'example.com' },
  returns: record(domainSchema),
  handle: async ({ context, found, body }) => domainView(await claimDomain(context, found.id, body.domain)),
})

const prove = endpoint({
  ...shared,
  method: 'POST',
  path: '/companies/{company}/single-sign-on/domains/{domain}/prove',
  summary: 'Prove a domain by its TXT record',
  description: 'A domain belongs to one company. The administrator of the instance is believed without the record.',
  status: 200,
  find,
  returns: record(domainSchema),
  handle: async ({ context, caller, found, params }) =>
    domainView(await proveDomain(context, caller, { companyId: found.id, id: recordId(params.domain) })),
})

const giveUp = endpoint({
  ...shared,
  method: 'POST',
  path: '/companies/{company}/single-sign-on/domains/{domain}/remove',
  summary: 'Take a domain out of the list',
  find,
  returns: nothing,
  handle: ({ context, found, params }) => giveUpDomain(context, { companyId: found.id, id: recordId(params.domain) }),
})

const forget = endpoint({
  group: groups.user,
  method: 'POST',
  path: '/users/{user}/single-sign-on/forget',
  right: 'update-user',
  extension: true,
  summary: 'Forget who a user is at the identity provider',
  description:
    'For somebody who is known there under a new name: the next sign-in with the address of the user is theirs. Their sessions and tokens end.',
  find: ({ context, caller, params }) => findUser(context.db, caller, recordId(params.user)),
  returns: nothing,
  handle: ({ context, caller, found }) => forgetAtProvider(context, caller, found.id),
})

export const userSingleSignOn = [get, update, remove, claim, prove, giveUp, forget]
