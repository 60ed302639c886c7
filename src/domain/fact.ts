/** What may have happened, and what there is to say about it. `src/jobs.ts` says which jobs each fact starts. */
export interface Facts {
  /** The shop has let us in, for the first time or again. */
  'integration.installed': { integrationId: number }
  /** The shop no longer takes our credentials; `reason` as the integration shows it. */
  'integration.failed': { integrationId: number; reason: string }
  'integration.recovered': { integrationId: number }
  /** What the shop has given us is being removed: it was left long ago, or the platform wants it. */
  'integration.purged': { integrationId: number }
  /** Somebody is to be forgotten. */
  'erasure.requested': { erasureId: number }
  'run.queued': { integrationId: number; runId: number }
}
