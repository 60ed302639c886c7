import type { Write } from '../../commerce/connector/parts.ts'
import type { Connector } from '../../commerce/connector.ts'
import { isCredentialsRefusal, type Remote, type RemoteAnswer } from '../../commerce/remote.ts'
import type { AnyFields, ArticleNames, Shop } from '../../commerce/shop.ts'
import type { Db } from '../../runtime/db/connection.ts'
import { traced } from '../../runtime/telemetry/trace.ts'
import { hasSharedBudget, type Lane } from '../budgets/budget.ts'
import { shopBudget } from '../budgets/shop-budget.ts'
import type { Context } from '../context.ts'
import { type Integration, publicType } from '../integrations/integration.ts'
import { reportFailure } from '../integrations/move-integration.ts'
import { logWords } from '../logs/log-words.ts'
import { performWrite, type WritePlan, type Written } from '../operations/perform-write.ts'
import { writeSpans } from '../operations/write-spans.ts'
import { installedWatch } from './installed-watch.ts'
import { productIdsWith } from './known-articles-store.ts'
import { platformClient } from './platform-client.ts'
import { type RefreshContext, readFresh, renewRefused } from './refresh-credentials.ts'
import { repeating } from './repeat-request.ts'
import { connectorOf, factsOf, remoteFor } from './shop-remote.ts'
import { withheldReport } from './withheld-report.ts'

export { connectorOf, factsOf, remoteFor, shopWith } from './shop-remote.ts'

export interface OpenShop {
  integrationId: number
  connector: Connector
  shop: Shop
  /** The one way to change something in the shop: at most once, whatever happens in between. */
  write: WriteToShop
}

export type WriteToShop = <Input, Result>(
  plan: WritePlan<Input>,
  part: Write<AnyFields, AnyFields, Input, Result>,
) => Promise<Written<Result>>

/**
 * Whoever is refused with new credentials again and again is not let in any more, and asking for others would never end. Once is not enough: those
 * that somebody else renewed may have been followed by yet others, and a platform may not know at once what it has just given.
 */
const maxRenewals = 2

/**
 * Credentials and connector of an integration, ready to be called. `lane` says who waits for whom, `maxWaitSeconds` how long
 * for the shop's limits, where that is not as long as others of the lane do.
 */
export async function openShop(
  context: RefreshContext & Pick<Context, 'trace' | 'metrics'>,
  integration: Integration,
  { lane = 'interactive', maxWaitSeconds }: { lane?: Lane; maxWaitSeconds?: number } = {},
): Promise<OpenShop> {
  const connector = connectorOf(context, integration)
  const facts = factsOf(connector, integration)
  let session = await readFresh(context, connector, integration)
  const client = await sharedClient(context, connector, integration, session.credentials)
  const { client_id: id } = client
  const application = typeof id === 'string' ? id : null
  const payer = { shop: `${integration.shop}|${connector.remote.origin(facts)}`, application }
  const askLimits = async () =>
    (await connector.remote.limits?.(remoteFor(context, connector, facts, null), client)) ?? []
  const budget = shopBudget(context.db, connector, payer, lane, askLimits, maxWaitSeconds)
  const holder = holderOf(integration)
  const answered = (kind: string) => context.metrics?.shopAnswers.inc({ service: publicType(integration), kind })
  const transport: Context['transport'] = (call) => counting(context.transport({ ...call, holder }), answered)
  const onWithheld = withheldReport(context.db, integration.id)
  const way = () => repeating(remoteFor({ transport }, connector, facts, session.credentials, budget, onWithheld))
  const stillInstalled = installedWatch(context.db, integration.id)
  const remote: Remote = {
    async request(asked) {
      await stillInstalled()
      for (let renewals = 0; ; renewals++) {
        const { version } = session
        try {
          return await way().request(asked)
        } catch (error) {
          if (!isCredentialsRefusal(error)) throw error
          if (renewals >= maxRenewals) {
            const why = logWords('credentials.rejected_again')
            await reportFailure(context, integration.id, { reason: 'credentials_rejected', why })
            throw error
          }
          // The platform may have ended them before their time. What it refused it has not carried out.
          const renewed = await renewRefused(context, connector, integration, version)
          if (!renewed) throw error
          session = renewed
        }
      }
    },
  }
  const productsWith = (names: ArticleNames) => productIdsWith(context.db, integration.id, names)
  const lasting = lastingOf(context.db, `${integration.id} ${payer.shop}`)
  const shop = { ...facts, credentials: session.credentials, remote, productsWith, opening: {}, lasting }
  return {
    integrationId: integration.id,
    connector,
    shop,
    write: (plan, part) =>
      traced(
        context.trace,
        () => writeSpans(integration.id, plan),
        () => performWrite(context, { integration, shop }, plan, part),
      ),
  }
}

const shops = new WeakMap<Db, Map<string, object>>()
const maxShops = 10_000

/** Something that stands for a shop where it lies; whoever knows something of it for a while knows it by this. */
function lastingOf(db: Db, shop: string): object {
  const known = shops.get(db) ?? new Map<string, object>()
  shops.set(db, known)
  const lasting = known.get(shop) ?? {}
  if (known.size > maxShops) known.clear()
  known.set(shop, lasting)
  return lasting
}

async function counting(asked: Promise<RemoteAnswer>, answered: (kind: string) => void): Promise<RemoteAnswer> {
  try {
    const answer = await asked
    answered(answer.status === 429 ? '429' : `${Math.floor(answer.status / 100)}xx`)
    return answer
  } catch (error) {
    answered('none')
    throw error
  }
}

/** Whose share of requests and room a shop takes. */
const holderOf = ({ company_id: companyId, app_id: appId, user_id: userId }: Integration): string =>
  companyId !== null ? `company ${companyId}` : appId !== null ? `app ${appId}` : `user ${userId}`

/** The registration with the platform that the shop came by, where its limits are those of the registration; else nothing. */
async function sharedClient(
  { db, keys }: RefreshContext,
  connector: Connector,
  integration: Integration,
  credentials: AnyFields,
): Promise<AnyFields> {
  const { auth } = connector
  if (auth.kind !== 'oauth2' || !hasSharedBudget(connector)) return {}
  return auth.ownClient?.(credentials) ?? (await platformClient(db, keys, connector, integration))
}
