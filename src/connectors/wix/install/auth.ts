import { type Exchanged, type Granted, oauth2, type Return } from '../../../commerce/connector/auth.ts'
import { type Fields, fieldsIn, fieldsOf, isFields, maybeText, textIn } from '../../../commerce/reading.ts'
import { credentialsRefused, type Remote, type RemoteAnswer, shopAway } from '../../../commerce/remote.ts'
import { rightsRefused } from '../../../commerce/rules/rights.ts'
import type { AnyFields } from '../../../commerce/shop.ts'
import { expiryOf } from '../../../commerce/wire/expiry.ts'
import { say } from '../../../commerce/words/say.ts'
import { reasonIn } from '../ask.ts'
import { type Credentials, client, credentials, type Settings, siteIdOf, typedForm, type WixShop } from '../settings.ts'
import { tried } from './rights.ts'

/** What an app may do is written on its own pages, and agreed to as a whole. */
export const auth = oauth2<Settings, typeof credentials>({
  credentials,
  client,
  remains: say('remains_wix'),
  pkce: false,
  scopes: [],
  typed: {
    form: typedForm,
    keep: ({ api_key: key }) => ({ access_token: String(key), typed: true }),
  },
  authorizeUrl({ client: { client_id: appId }, state, callbackUrl }) {
    const query = { appId: String(appId), redirectUrl: callbackUrl, state }
    return `https://www.wix.com/installer/install?${new URLSearchParams(query)}`
  },
  exchange,
  refresh: async ({ remote, credentials: { instance_id: instance } }, us) => {
    if (instance === undefined) throw credentialsRefused([], say('connect_again'))
    return await grant(remote, us, instance)
  },
  // Keys of the account do not end.
  refreshes: (_, { typed }) => typed !== true,
  checkAccess,
  checkRights: ({ remote }: WixShop) => rightsRefused(remote, tried),
})

/**
 * Whoever knows the secret of the app gets a token for any site that has it. So the address that the browser comes back with
 * proves nothing: the code does. It is exchanged, and what it opens says which installation it is.
 */
async function exchange({
  remote,
  client: us,
  query,
  ...trip
}: Return<Settings>): Promise<Exchanged<Settings, Credentials>> {
  const opened = await tokens(remote, '/oauth/access', {
    ...own(us),
    grant_type: 'authorization_code',
    code: query['code'],
  })
  const headers = { authorization: textIn(fieldsOf(opened.body), 'access_token') }
  const about = await remote.request({ method: 'GET', path: '/apps/v1/instance', headers, anonymous: true })
  if (about.status >= 300) throw credentialsRefused([], reasonIn(about.body) ?? say('whose_code', { platform: 'Wix' }))
  const instance = textIn(fieldsIn(fieldsOf(about.body), 'instance'), 'instanceId')
  const granted = await grant(remote, us, instance)
  const site = await siteOf(remote, granted.credentials)
  if (site !== siteIdOf(trip)) throw credentialsRefused([], say('installed_elsewhere'))
  return { ...granted, settings: { instance_id: instance }, identity: instance }
}

/** The site that a token is for. */
async function siteOf(remote: Remote, { access_token: token }: Credentials): Promise<string> {
  const { status, body } = await remote.request({
    ...{ method: 'POST', path: '/oauth2/token-info', body: { token } },
    ...{ anonymous: true, repeatable: true },
  })
  if (status >= 300) throw shopAway(60)
  return textIn(fieldsOf(body), 'siteId')
}

const own = ({ client_id, client_secret }: AnyFields) => ({ client_id, client_secret })

/** There is nothing to keep for the next time: the app says again who it is, and which installation it means. */
async function grant(remote: Remote, us: AnyFields, instance: string): Promise<Granted<Credentials>> {
  const body = { ...own(us), grant_type: 'client_credentials', instance_id: instance }
  const answer = await tokens(remote, '/oauth2/token', body, true)
  const reported = fieldsOf(answer.body)
  const kept = { access_token: textIn(reported, 'access_token'), instance_id: instance }
  return { credentials: kept, expiresAt: expiryOf(answer, reported) }
}

async function tokens(remote: Remote, path: string, body: Fields, repeatable = false): Promise<RemoteAnswer> {
  const answer = await remote.request({ method: 'POST', path, body, anonymous: true, repeatable })
  if (answer.status < 300) return answer
  const reported = isFields(answer.body) ? answer.body : {}
  // A refusal has a word or a sentence; whatever stands in between has neither.
  const reason = maybeText(reported, 'error_description') ?? reasonIn(answer.body)
  throw reason === null ? shopAway(60) : credentialsRefused([], reason)
}

/** Something small that every site answers, and that says whether it sells anything. */
async function checkAccess({ remote }: WixShop): Promise<void> {
  const { status, body } = await remote.request({ method: 'GET', path: '/stores/v3/provision/version' })
  if (status === 400 || status === 404)
    throw credentialsRefused([], reasonIn(body) ?? say('no_such_site', { platform: 'Wix' }))
  if (status >= 300) throw shopAway(60)
  if (textIn(fieldsOf(body), 'catalogVersion') === 'STORES_NOT_INSTALLED')
    throw credentialsRefused([], say('no_wix_stores'))
}
