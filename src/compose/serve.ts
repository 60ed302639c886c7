import { arrivalFiles } from '../api/arrival/arrival-page.ts'
import { asyncApiPage } from '../api/asyncapi-page.ts'
import { auditRequests, notesOfAgents } from '../api/audit-requests.ts'
import { cataloguePage } from '../api/catalogue-page.ts'
import { collectionPages } from '../api/collection-page.ts'
import { docsPages } from '../api/docs-page.ts'
import { groups } from '../api/groups.ts'
import { guidePages } from '../api/guide-pages.ts'
import { endpoints } from '../api/index.ts'
import { logRequests } from '../api/log-requests.ts'
import { logoPage } from '../api/logo-page.ts'
import { openApiPage } from '../api/openapi-page.ts'
import { listedOrderView, listedRunView, shopNameView } from '../api/v2/views/across/listed.ts'
import { webPages } from '../api/web-pages.ts'
import { unsealedSince } from '../domain/audit/audit-store.ts'
import { openTrail } from '../domain/audit/trail.ts'
import { createLiveHub } from '../domain/live/live-hub.ts'
import type { Identifier } from '../domain/oauth/callers/identify-caller.ts'
import { createLastUse } from '../domain/oauth/sessions/last-use.ts'
import { defaultQuotas } from '../domain/quota-store.ts'
import { startHeart } from '../domain/reads/notice-downtime.ts'
import { openRequestLog } from '../domain/requests/open-request-log.ts'
import type { Caller } from '../domain/tenant.ts'
import { createV1Usage } from '../domain/v1-usage/create-v1-usage.ts'
import { showQuotas } from '../gauges.ts'
import { withFirstCommit } from '../runtime/db/commit/with-first-commit.ts'
import { isDatabaseAway, isDatabaseBusy } from '../runtime/db/connection.ts'
import { idempotencyKeys } from '../runtime/db/idempotency-keys.ts'
import type { Listener } from '../runtime/db/listener.ts'
import { joinPeers } from '../runtime/db/peers.ts'
import { rateWindows } from '../runtime/db/rate-windows.ts'
import { createIdempotency } from '../runtime/http/idempotency.ts'
import { createInside } from '../runtime/http/inside/ask-inside.ts'
import { createRateLimiter } from '../runtime/http/limits/rate-limit.ts'
import { createRefusals } from '../runtime/http/limits/refusals.ts'
import { loadScalar } from '../runtime/http/openapi/scalar.ts'
import { type ProbeOptions, probes } from '../runtime/http/probes/probes.ts'
import { createServer, type HttpServer } from '../runtime/http/server.ts'
import type { ComposeOptions, Parts } from './parts.ts'

const answerBytes = ({ idempotencyMegabytes = 256 }: ComposeOptions['config']) => idempotencyMegabytes * 1024 * 1024

interface Serving {
  listener: Listener
  identify: Identifier['identify']
  probing: Omit<ProbeOptions, 'isOpen'>
}

/** Answers requests: the API, its pages, the console. */
export async function serve(
  { options, context, database, metrics, closing }: Parts,
  { listener, identify, probing }: Serving,
): Promise<HttpServer> {
  const { log, config } = options
  const limiter = createRateLimiter(rateWindows(database.reader))
  const peers = joinPeers({ listener, log, onCompany: limiter.share, onAlone: limiter.stopSharing })
  await Promise.all([listener.begun, peers.joined])
  const v1Usage = createV1Usage({ db: database.db, log })
  const lastUse = createLastUse({ db: database.db, log })
  const requestLog = config.requestLogDays
    ? openRequestLog({ db: database.db, log, metrics, room: options.requestRoom })
    : null
  const trail = await openTrail(context)
  const inside = createInside<Caller>()
  const live = createLiveHub({
    context,
    listener,
    views: { run: listedRunView, order: listedOrderView, shop: shopNameView },
  })
  metrics.gauge('entrepot_live_streams', 'People who watch what is happening, by this process', () => live.followers)
  context.live = live
  context.inside = { ask: inside.ask, note: notesOfAgents(trail, context.db) }
  const keys = idempotencyKeys(database.reader, options.keys)
  const server = createServer({
    endpoints,
    onCall: ({ group, method, path }, { clientId, kind, tokenId = 0 }, from) => {
      if (kind === 'user' || tokenId < 0) lastUse.note(tokenId, from)
      if (group.prefix === groups.v1.prefix) v1Usage.record(clientId, method, group.prefix + path)
    },
    context,
    guard: {
      identify: (token) => inside.callerOf(token) ?? identify(token),
      limiter,
      limits: config.rateLimits,
      failedTokens: createRefusals(config.rateLimits.failed),
    },
    requestIdOf: inside.requestIdOf,
    publicUrl: context.publicUrl,
    tls: config.tls,
    trustProxy: config.trustProxy,
    ...(config.connectionsPerAddress && { connections: { perAddress: config.connectionsPerAddress } }),
    log,
    metrics,
    contextWith: (steps, say) => ({
      ...context,
      transaction: withFirstCommit(context.transaction, steps),
      ...(say && { say }),
    }),
    auditing: auditRequests(trail, context),
    ...(requestLog && { onAnswer: logRequests(requestLog) }),
    idempotency: createIdempotency({ keys, log, maxBytes: answerBytes(config) }),
    isUnavailable: (error) => isDatabaseAway(error) || isDatabaseBusy(error),
    pages: [
      ...probes({ ...probing, isOpen: false }),
      logoPage(context),
      openApiPage(endpoints),
      asyncApiPage(),
      ...collectionPages(endpoints, context.publicUrl),
      ...docsPages(loadScalar),
      ...guidePages(),
      ...webPages(),
      ...arrivalFiles,
      cataloguePage(context),
    ],
  })
  inside.serveBy(server)
  metrics.gauge('entrepot_idempotency_bytes', 'What kept answers take in the database', () => keys.size())
  metrics.gauge(
    'entrepot_audit_unsealed_seconds',
    'How long the oldest entry of the audit trail has waited for its block',
    async () => (await unsealedSince(database.db)).seconds,
  )
  const limits = { ...(config.quotas ?? defaultQuotas), answer_bytes: answerBytes(config) }
  showQuotas(metrics, context.db, limits)
  closing.push(
    async () => {
      await peers.close()
      limiter.close()
    },
    () => v1Usage.close(),
    () => lastUse.close(),
    () => requestLog?.close(),
    () => server.close(),
  )
  await server.ready()
  return {
    ...server,
    async listen(host, port) {
      const bound = await server.listen(host, port)
      // It says that messages of shops can be taken, which is so from here on and not before.
      const heart = await startHeart(context)
      closing.push(() => heart.stop())
      return bound
    },
  }
}
