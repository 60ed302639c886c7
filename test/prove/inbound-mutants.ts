import { mock } from 'node:test'
import type { Delivery } from '../../src/commerce/connector/webhooks.ts'
import { connectors } from '../../src/connectors/index.ts'
import type { Context } from '../../src/domain/context.ts'
import { savePlatformClient } from '../../src/domain/services/platform-client-store.ts'
import { saveShopSecrets } from '../../src/domain/shop-webhooks/shop-webhooks-store.ts'
import type { HttpServer } from '../../src/runtime/http/server.ts'
import { drawLots, testSeed } from '../support/chance.ts'
import { makeIntegration } from '../support/gateway.ts'
import { makeAccount, makeApp } from '../support/identity.ts'
import { openProgram } from '../support/program.ts'
import { type Genuine, genuineMessages, ourSecret } from './support/genuine-messages.ts'
import { type Mutant, mutate, proofsIn } from './support/mutants.ts'
import { proof } from './support/proof.ts'
import { settingsFor } from './support/settings.ts'

/** Nobody but the platform tells us anything, and nothing that it says is lost. */
export const inboundMutants = proof({
  name: 'inbound-mutants',
  asked:
    '1,000 tampered messages for each way in which a platform signs (bits, headers, somebody else’s secret, another address; not the body where only a key comes along, of which nothing is believed): 0 accepted; all genuine ones accepted, once; where the time is signed, none six minutes later',
  full: { mutants: 1000 },
  quick: { mutants: 100 },
  async run({ mutants }, lab) {
    const program = await openProgram(settingsFor(await lab.database('migrated')), { serves: true })
    const { context, http } = program
    try {
      if (!http) throw new Error('The program does not serve.')
      const results: Result[] = []
      for (const connector of connectors.values()) {
        for (const genuine of await genuineMessages(connector)) {
          lab.progress(genuine.name)
          results.push(await tryOut(context, http, genuine, mutants))
          await genuine.stand.close()
        }
      }
      const accepted = results.flatMap((result) => result.accepted)
      const refused = results.flatMap((result) => result.refused)
      const sum = (of: (result: Result) => number) => results.reduce((total, result) => total + of(result), 0)
      const sent = sum(({ genuine }) => genuine)
      const dated = sum((result) => result.dated)
      const late = results.flatMap((result) => result.late)
      return {
        measured: `${results.length} ways to sign (${results.map(({ name }) => name).join('; ')}): ${accepted.length} of ${results.length * mutants} tampered messages accepted${example(accepted)}, ${sent - refused.length} of ${sent} genuine ones${example(refused)}; ${late.length} of ${dated} with a signed time accepted when they come six minutes later${example(late)}`,
        pass: results.length > 0 && dated > 0 && accepted.length === 0 && refused.length === 0 && late.length === 0,
      }
    } finally {
      await program.close()
    }
  },
})

const example = ([first]: readonly string[]) => (first === undefined ? '' : ` (${first})`)

interface Result {
  name: string
  genuine: number
  /** Those of them that say when they were sent. */
  dated: number
  /** Of these, what was taken when it came minutes late. */
  late: string[]
  /** Tampered, and taken all the same. */
  accepted: string[]
  /** Genuine, and not taken, or not just once. */
  refused: string[]
}

async function tryOut(context: Context, http: HttpServer, genuine: Genuine, mutants: number): Promise<Result> {
  const { name, connector, stand, ours, theirs } = genuine
  const { webhooks } = connector
  if (!webhooks) throw new Error('There are no messages.')
  // Keys that platforms sign with are asked for where the messages come from.
  const { platform, transport } = stand
  if (transport) context.transport = transport
  const paths = await prepare(context, genuine)
  const send = async ({ headers, query, raw }: Delivery, to: Mutant['to']): Promise<number> => {
    const { statusCode } = await http.inject({
      method: 'POST',
      url: `${paths[to]}?${new URLSearchParams(query)}`,
      headers: { ...headers, 'content-length': String(raw.length) },
      payload: raw,
    })
    return statusCode
  }
  const result: Result = { name, genuine: ours.length, dated: 0, late: [], accepted: [], refused: [] }
  const secrets = genuine.secrets(ourSecret)
  const lots = drawLots(`inbound-mutants ${name}`)
  const signsForAll = platform?.signsForAll === true
  const unsigned = platform?.unsigned === true
  // What nothing vouches for may say which record to ask for, and nothing about it.
  if (unsigned && ours.some((one) => webhooks.read(one, genuine.facts).changes.some(({ raw }) => raw !== null))) {
    result.accepted.push(`${name}: what no signature covers is believed`)
  }
  for (let n = 0; n < mutants; n++) {
    const delivery = ours[n % ours.length]
    if (!delivery) break
    const mutant = mutate(lots, delivery, {
      proofs: proofsIn(webhooks, delivery, secrets),
      theirs,
      signsForAll,
      unsigned,
    })
    const status = await send(mutant.delivery, mutant.to)
    if (status !== 401 && status !== 404)
      result.accepted.push(`${name}: ${mutant.how} is answered with ${status}, seed ${testSeed}`)
  }
  for (const delivery of ours.filter((each) => (webhooks.sentAt?.(each) ?? null) !== null)) {
    result.dated++
    const status = await sixMinutesLater(() => send(delivery, 'here'))
    if (status !== 401) result.late.push(`${name}: it is answered with ${status}`)
  }
  for (const delivery of ours) {
    const statuses = [await send(delivery, 'here'), await send(delivery, 'here')]
    if (statuses.some((status) => status !== 200)) result.refused.push(`${name}: ${statuses.join(' and ')}`)
  }
  const stored = await context.db
    .selectFrom('shop_messages')
    .select(({ fn }) => fn.countAll().as('n'))
    .executeTakeFirstOrThrow()
  const distinct = new Set(ours.map((delivery) => webhooks.read(delivery, genuine.facts).deliveryId)).size
  if (Number(stored.n) !== distinct) result.refused.push(`${name}: ${stored.n} stored of ${distinct}`)
  await context.db.deleteFrom('shop_messages').execute()
  return result
}

/** By our clock alone: that of the database goes on. */
async function sixMinutesLater<T>(work: () => Promise<T>): Promise<T> {
  mock.timers.enable({ apis: ['Date'], now: Date.now() + 6 * 60_000 })
  try {
    return await work()
  } finally {
    mock.timers.reset()
  }
}

/** The shop that sends, and three that must not believe it: all of them with secrets of their own. */
async function prepare(context: Context, { connector: { type, webhooks }, facts, ours, secrets }: Genuine) {
  // Another shop is another one by whatever name the platform has for it, which we have known since it was connected.
  const [identity = null] = ours.map((delivery) => webhooks?.identityOf?.(delivery) ?? null)
  const identityOf = (shop: string) => (identity === null || shop === facts.shop ? identity : `${identity}0`)
  const appId = await makeApp(context)
  const [accountId, otherAccount] = [await makeAccount(context, appId, 'one'), await makeAccount(context, appId, 'two')]
  const otherApp = await makeApp(context)
  const make = async (owner: { appId: number; accountId: number }, shop: string, secret: string) => {
    const { integration } = await makeIntegration(context, owner, { type, shop })
    await context.db
      .updateTable('integrations')
      .set({ settings: JSON.stringify(facts.settings), identity: identityOf(shop) })
      .where('id', '=', integration.id)
      .execute()
    const { registration, client } = secrets(secret)
    const address = 'https://entrepot.test'
    await saveShopSecrets(context.db, context.keys, integration.id, { address, secrets: registration })
    if (Object.keys(client).length > 0) {
      const place = { serviceId: integration.service_id, appId: owner.appId }
      await context.db
        .insertInto('app_services')
        .values({ app_id: place.appId, service_id: place.serviceId })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      await savePlatformClient(context.db, context.keys, place, client)
    }
    return `/api/1.0/webhook_callback/${type}/${owner.accountId}/${shop}`
  }
  const otherTenant = { appId: otherApp, accountId: await makeAccount(context, otherApp, 'three') }
  const paths = {
    'another account': await make({ appId, accountId: otherAccount }, `other-${facts.shop}`, 'a secret'),
    'another shop': await make({ appId, accountId }, `another-${facts.shop}`, 'another secret'),
    'another tenant': await make(otherTenant, facts.shop, 'a third secret'),
  }
  return { ...paths, here: await make({ appId, accountId }, facts.shop, ourSecret) }
}
