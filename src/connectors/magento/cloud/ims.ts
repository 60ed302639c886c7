import type { Granted } from '../../../commerce/connector/auth.ts'
import { fieldsOf, isFields, maybeText, textIn } from '../../../commerce/reading.ts'
import { credentialsRefused, isCredentialsRefusal, type RemoteRequest, shopAway } from '../../../commerce/remote.ts'
import { expiryOf } from '../../../commerce/wire/expiry.ts'
import { type Credentials, type MagentoFacts, type MagentoShop, storeOf } from '../settings.ts'

/** What opens the Cloud Service, by Adobe's identity service. */
export const imsKeys = ['ims_client_id', 'ims_client_secret', 'ims_org_id'] as const

const scopes = [
  'openid',
  'AdobeID',
  'email',
  'profile',
  'additional_info.roles',
  'additional_info.projectedProductContext',
  'commerce.accs',
]

/** A token lasts for a day; the next one is had with the same keys. */
export async function grant({ remote, credentials: kept }: MagentoShop): Promise<Granted<Credentials>> {
  const form = {
    grant_type: 'client_credentials',
    client_id: kept.ims_client_id ?? '',
    client_secret: kept.ims_client_secret ?? '',
    scope: scopes.join(','),
  }
  const answer = await remote
    .request({
      method: 'POST',
      origin: 'ims',
      path: '/ims/token/v3',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
      anonymous: true,
      repeatable: true,
    })
    .catch((error: unknown) => {
      throw isCredentialsRefusal(error) ? wrongKeys() : error
    })
  const reported = isFields(answer.body) ? answer.body : {}
  const error = maybeText(reported, 'error')
  if (answer.status >= 300)
    throw error === null ? shopAway(60) : wrongKeys(maybeText(reported, 'error_description') ?? error)
  return {
    credentials: { ...kept, access_token: textIn(fieldsOf(answer.body), 'access_token') },
    expiresAt: expiryOf(answer, reported),
  }
}

const wrongKeys = (reason?: string) => credentialsRefused(['ims_client_id', 'ims_client_secret'], reason)

export function withToken(request: RemoteRequest, keys: Credentials, facts: MagentoFacts): RemoteRequest {
  const headers = {
    ...request.headers,
    authorization: `Bearer ${keys.access_token ?? ''}`,
    'x-api-key': keys.ims_client_id ?? '',
    'x-gw-ims-org-id': keys.ims_org_id ?? '',
    store: storeOf(facts),
  }
  return { ...request, headers }
}

/** The token is new: until it is kept, requests take it along themselves. */
export const openedWith = (shop: MagentoShop, keys: Credentials): MagentoShop => ({
  ...shop,
  credentials: keys,
  remote: { request: (asked) => shop.remote.request({ ...withToken(asked, keys, shop), anonymous: true }) },
})
