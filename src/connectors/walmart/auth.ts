import { type Granted, type Opened, typedKeys } from '../../commerce/connector/auth.ts'
import { fieldsOf, maybeFields, textIn } from '../../commerce/reading.ts'
import { credentialsRefused, shopAway } from '../../commerce/remote.ts'
import type { MissingRight } from '../../commerce/rules/rights.ts'
import { expiryOf } from '../../commerce/wire/expiry.ts'
import { say } from '../../commerce/words/say.ts'
import { ask, rejected, saidIn } from './ask.ts'
import { tokenPath, where } from './read-answer.ts'
import { type Credentials, credentials, type Settings, type WalmartShop } from './settings.ts'

/** The keys of a seller buy tokens of a quarter of an hour, as many as are wanted. */
export const auth = typedKeys<Settings, Credentials, typeof credentials>({
  credentials,
  open: async (shop): Promise<Opened<Settings, Credentials>> => ({ ...(await grant(shop)), settings: shop.settings }),
  refresh: grant,
  checkAccess,
  checkRights,
  remains: say('remains_walmart'),
})

async function grant({ remote, credentials: kept }: WalmartShop): Promise<Granted<Credentials>> {
  const answer = await remote.request({
    method: 'POST',
    path: tokenPath,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'grant_type=client_credentials',
    repeatable: true,
    budget: 'tokens',
  })
  if (answer.status === 400 || answer.status === 403) {
    throw credentialsRefused(['client_id', 'client_secret'], saidIn(answer.body) ?? rejected)
  }
  if (answer.status >= 300) throw shopAway(60)
  const reported = fieldsOf(answer.body)
  return {
    credentials: { ...kept, access_token: textIn(reported, 'access_token') },
    expiresAt: expiryOf(answer, reported),
  }
}

const detail = async (shop: WalmartShop) => fieldsOf(await ask(shop, { path: `${tokenPath}/detail`, budget: 'tokens' }))

async function checkAccess(shop: WalmartShop): Promise<void> {
  await detail(shop)
}

const needed = { orders: 'full_access', item: 'view_only', inventory: 'full_access' }

/** What a token may do is asked of the token itself. */
async function checkRights(shop: WalmartShop): Promise<MissingRight[]> {
  const scopes = maybeFields(await detail(shop), 'scopes') ?? {}
  return Object.entries(needed).flatMap(([name, access]) => {
    const granted = scopes[name] ?? 'full_access'
    return granted === 'full_access' || granted === access ? [] : [{ name: `${name} (${access})`, where }]
  })
}
