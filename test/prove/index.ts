import { alerts } from './alerts.ts'
import { amazonThreeDays } from './amazon-three-days.ts'
import { changesNeverSkip } from './changes-never-skip.ts'
import { citusNodeAway } from './citus-node-away.ts'
import { databaseRestart } from './database-restart.ts'
import { ebayOneQuota } from './ebay-one-quota.ts'
import { failover } from './failover.ts'
import { fairness } from './fairness.ts'
import { floods } from './floods.ts'
import { follower } from './follower.ts'
import { fuzzApi } from './fuzz-api.ts'
import { fuzzShops } from './fuzz-shops.ts'
import { growth } from './growth.ts'
import { halfOpen } from './half-open.ts'
import { healing } from './healing.ts'
import { hostileDescriptions } from './hostile-expressions.ts'
import { hostileShops } from './hostile-shops.ts'
import { inboundKills } from './inbound-kills.ts'
import { inboundMutants } from './inbound-mutants.ts'
import { inboundOrder } from './inbound-order.ts'
import { jobStartDelay } from './job-start-delay.ts'
import { keyRotation } from './key-rotation.ts'
import { listOracle } from './list-oracle.ts'
import { listenCuts } from './listen-cuts.ts'
import { manyIntegrations } from './many-integrations.ts'
import { massAssignment } from './mass-assignment.ts'
import { migrateTogether } from './migrate-together.ts'
import { oneEffect } from './one-effect.ts'
import { oneRefresh } from './one-refresh.ts'
import { oneStock } from './one-stock.ts'
import { pointInTime } from './point-in-time.ts'
import { rateExact } from './rate-exact.ts'
import { refreshRace } from './refresh-race.ts'
import { releaseCompared } from './release-compared.ts'
import { restore } from './restore.ts'
import { revocation } from './revocation.ts'
import { rollingUpgrade } from './rolling-upgrade.ts'
import { sameData } from './same-data.ts'
import { schedules } from './schedules.ts'
import { secondSync } from './second-sync.ts'
import { sigterm } from './sigterm.ts'
import { staleWorker } from './stale-worker.ts'
import type { Proof } from './support/proof.ts'
import { syncDatabaseKills } from './sync-database-kills.ts'
import { syncKills } from './sync-kills.ts'
import { tenancy } from './tenancy.ts'
import { webhookKills } from './webhook-kills.ts'
import { webhookOutbox } from './webhook-outbox.ts'
import { webhookSignatures } from './webhook-signatures.ts'

/** Every proof there is, in the order in which they run. */
export const proofs: readonly Proof[] = [
  refreshRace,
  databaseRestart,
  rateExact,
  fuzzApi,
  fuzzShops,
  floods,
  hostileShops,
  hostileDescriptions,
  migrateTogether,
  revocation,
  sigterm,
  rollingUpgrade,
  tenancy,
  massAssignment,
  listOracle,
  sameData,
  changesNeverSkip,
  follower,
  keyRotation,
  schedules,
  manyIntegrations,
  growth,
  secondSync,
  releaseCompared,
  healing,
  amazonThreeDays,
  syncKills,
  syncDatabaseKills,
  restore,
  pointInTime,
  citusNodeAway,
  failover,
  halfOpen,
  staleWorker,
  oneRefresh,
  oneEffect,
  oneStock,
  fairness,
  ebayOneQuota,
  jobStartDelay,
  alerts,
  inboundMutants,
  inboundOrder,
  inboundKills,
  webhookOutbox,
  webhookSignatures,
  webhookKills,
  listenCuts,
]
