import type { Granted, Opened } from '../../commerce/connector/auth.ts'
import { fieldsIn, numberIn, textIn } from '../../commerce/reading.ts'
import { credentialsRefused, isCredentialsRefusal, type RemoteRequest, refused } from '../../commerce/remote.ts'
import { say } from '../../commerce/words/say.ts'
import { invalid } from '../../lib/fault.ts'
import { ask, channelQuery, dataOf, post } from './ask.ts'
import type { Credentials, Settings, VendureFacts, VendureShop } from './settings.ts'

/** An API key goes along as it is; who logs in with name and password gets a session, whose token does. */
export function authenticate(
  request: RemoteRequest,
  { api_key: key, session_token: token }: Credentials,
  { settings: { channel_token: channel } }: VendureFacts,
): RemoteRequest {
  const headers = {
    ...request.headers,
    ...(key === undefined ? { authorization: `Bearer ${token ?? ''}` } : { 'vendure-api-key': key }),
    ...(channel === undefined ? {} : { 'vendure-token': channel }),
  }
  return { ...request, headers }
}

const aboutQuery = `query About {
  activeChannel { code defaultCurrencyCode defaultLanguageCode }
  globalSettings { serverConfig { moneyStrategyPrecision } }
}`

/** Gets a session where there is no key, and asks how the server writes its amounts. */
export async function openVendure(shop: VendureShop): Promise<Opened<Settings, Credentials>> {
  checkTyped(shop.credentials)
  const bySession = shop.credentials.api_key === undefined
  const { credentials, expiresAt } = bySession ? await logIn(shop) : plain(shop)
  const about = await naming(shop, ask(withSession(shop, credentials), aboutQuery), bySession ? unseen : undefined)
  const channel = fieldsIn(about, 'activeChannel')
  const settings = {
    ...shop.settings,
    money_precision: numberIn(fieldsIn(fieldsIn(about, 'globalSettings'), 'serverConfig'), 'moneyStrategyPrecision'),
    currency: textIn(channel, 'defaultCurrencyCode'),
    language: textIn(channel, 'defaultLanguageCode'),
  }
  return { settings, credentials, expiresAt }
}

const plain = ({ credentials }: VendureShop): Granted<Credentials> => ({ credentials, expiresAt: null })

/** The session is new: until it is kept, requests take it along themselves. */
const withSession = (shop: VendureShop, { api_key: key, session_token: token }: Credentials): VendureShop => {
  if (key !== undefined || token === undefined) return shop
  const { channel_token: channel } = shop.settings
  const headers = { authorization: `Bearer ${token}`, ...(channel === undefined ? {} : { 'vendure-token': channel }) }
  const request = (asked: RemoteRequest) => shop.remote.request({ ...asked, headers, anonymous: true })
  return { ...shop, remote: { request } }
}

function checkTyped({ api_key: key, username, password }: Credentials): void {
  const missing = key === undefined ? Object.entries({ username, password }).filter(([, value]) => !value) : []
  if (missing.length === 0) return
  const names = missing.length === 2 ? ['api_key'] : missing.map(([name]) => name)
  const say = (name: string) => [`The credentials.${name.replaceAll('_', ' ')} field is required.`]
  throw invalid(Object.fromEntries(names.map((name) => [`credentials.${name}`, say(name)])))
}

const loginMutation = `mutation Login($username: String!, $password: String!) {
  login(username: $username, password: $password, rememberMe: true) {
    __typename
    ... on CurrentUser { id }
    ... on ErrorResult { errorCode message }
  }
}`

/**
 * A session lasts as long as the server likes and longer with use, and it does not say. So nobody waits for its end: the
 * first request that is refused has us log in again.
 */
export async function logIn(shop: VendureShop): Promise<Granted<Credentials>> {
  const { username, password } = shop.credentials
  const answer = await post(shop, loginMutation, { username, password }, { anonymous: true })
  const { login } = dataOf(answer)
  const reported = fieldsIn({ login }, 'login')
  if (reported['errorCode'] === 'INVALID_CREDENTIALS_ERROR') throw credentialsRefused(['username', 'password'])
  if (reported['errorCode'] !== undefined) throw refused(textIn(reported, 'message'))
  const token = answer.headers['vendure-auth-token']
  if (!token) throw credentialsRefused(['username'], say('no_login_token'))
  return { credentials: { ...shop.credentials, session_token: token }, expiresAt: null }
}

export async function checkAccess(shop: VendureShop): Promise<void> {
  await naming(shop, ask(shop, channelQuery))
}

/** Name and password were right a moment ago. */
const unseen =
  'The server has let us in and does not know us afterwards: something in front of it drops the Authorization header. An API key (api_key) travels in a header of its own.'

/** A refusal names the fields that somebody typed, and those alone. */
async function naming<T>(
  { credentials: { api_key: key } }: VendureShop,
  asked: Promise<T>,
  reason?: string,
): Promise<T> {
  try {
    return await asked
  } catch (error) {
    if (!isCredentialsRefusal(error)) throw error
    throw credentialsRefused(key === undefined ? ['username'] : ['api_key'], reason)
  }
}
