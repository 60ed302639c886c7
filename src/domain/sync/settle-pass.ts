import { appendLog } from '../logs/log-store.ts'
import { logWords } from '../logs/log-words.ts'
import { queueRun } from '../runs/queue-run.ts'
import { enterRun } from '../runs/run-store.ts'
import type { ShopReads } from './kind.ts'
import { dropOldQuarantined } from './quarantine/quarantine-store.ts'
import { askByKey } from './reading/ask-by-key.ts'
import { readRecords } from './reading/read-records.ts'
import { recheckSome } from './rechecking/recheck-some.ts'
import { type Place, storeBatch } from './store-batch.ts'
import { aheadAfter, type Cursor, isWhole, looksWrong, marksSeen, type Pass, watermarkAfter } from './sync.ts'
import { readCursor, saveCursor } from './sync-store.ts'
import { countCovered, countSeen, countUnseen, detectsVanished, seenKeys, unseenKeys } from './vanished-store.ts'
import type { Work } from './work.ts'

type Settling = Place & { reads: ShopReads }

const maxRounds = 2
/** Each of them is asked for by itself. */
const askedAtOnce = 25
const removedAtOnce = 1000

/**
 * After the last page, one step at a time: is that all the shop has, and is what we hold still there? Null if the run is
 * ours no longer.
 */
export async function settlePass(work: Work, settling: Settling): Promise<Cursor | null> {
  const { pass, kind } = settling
  if (pass.missed === undefined && (await isShort(work, settling))) {
    const tally = { ...pass.tally, read: 0, unchanged: 0, set_aside: 0, expired: 0 }
    return await save(work, settling, { ...pass, stage: 'reading', next: null, rounds: pass.rounds + 1, tally })
  }
  const rechecked = await recheckSome(work, settling, (get, key) => askByKey(work, get, key))
  if (rechecked !== undefined) return rechecked
  if (!marksSeen(pass) || !detectsVanished(kind.name, pass)) return await finish(work, settling, pass)
  const missed = pass.missed ?? (await countMissed(work, settling))
  if (missed.unseen === 0) return await finish(work, settling, pass)
  if (
    pass.missed === undefined &&
    (looksWrong(missed) || (!settling.reads.get && (await isDoubtful(work, settling))))
  ) {
    const tally = { ...pass.tally, suspicious_deletes: missed.unseen }
    return await finish(work, settling, { ...pass, tally }, missed)
  }
  return await removeSome(work, settling, missed)
}

type Missed = NonNullable<Pass['missed']>

async function countMissed({ context, claim, signal }: Work, { kind, pass }: Settling): Promise<Missed> {
  const counts = await countUnseen(context, claim.integrationId, { kind: kind.name, pass, signal })
  return { ...counts, after: null }
}

/** Pages that are counted by their number slip when records move between them: then the shop is read once more. */
async function isShort({ context, claim }: Work, { kind, pass }: Settling): Promise<boolean> {
  if (!isWhole(pass) || pass.total === null || pass.rounds >= maxRounds || pass.tally.deleted > 0) return false
  const about = { kind: kind.name, runId: claim.id }
  if (marksSeen(pass)) return (await countSeen(context.db, claim.integrationId, about)) < pass.total
  return (await countCovered(context.db, claim.integrationId, about)) + pass.tally.expired < pass.total
}

/** Without a way to ask for a single record: any sign that not all of the shop was seen is enough to delete nothing. */
async function isDoubtful({ context, claim }: Work, { kind, pass }: Settling): Promise<boolean> {
  if (pass.tally.set_aside > 0) return true
  const seen = await countSeen(context.db, claim.integrationId, { kind: kind.name, runId: claim.id })
  return pass.total !== null && seen < pass.total
}

/** Each is asked for by name where the shop can be asked: what is still there was only passed over, and is stored. */
async function removeSome(work: Work, settling: Settling, missed: Missed): Promise<Cursor | null> {
  const { kind, pass, reads } = settling
  const { context, claim, open } = work
  const limit = reads.get ? askedAtOnce : removedAtOnce
  const about = { kind: kind.name, pass, after: missed.after, limit }
  const unseen = await unseenKeys(context, claim.integrationId, about)
  const after = unseen.at(-1)?.place
  if (after === undefined) return await finish(work, settling, pass)
  const keys = unseen.map(({ key }) => key)
  const gone: string[] = []
  const hidden: string[] = []
  const raws: unknown[] = []
  for (const key of keys) {
    const raw = reads.get ? await askByKey(work, reads.get, key, () => hidden.push(key)) : null
    if (raw === null) gone.push(key)
    else if (raw !== undefined) raws.push(raw)
  }
  if (hidden.length > 0 && (await maySee(work, settling))) gone.push(...hidden)
  const { records, quarantined } = await readRecords(reads, raws, open.shop)
  const seen = keys.filter((key) => !gone.includes(key))
  const count = { uncertain: seen.length - raws.length }
  return await storeBatch(work, settling, { records, quarantined, seen, gone, count }, (now) => ({
    ...now,
    missed: { ...missed, after },
  }))
}

/**
 * Whether a record that is there can be seen by its id. Where it can, one that cannot is not there; where it cannot, it
 * may be a right that is missing.
 */
async function maySee(work: Work, { kind, pass, reads: { get } }: Settling): Promise<boolean> {
  const { context, claim } = work
  for (const key of get ? await seenKeys(context.db, claim.integrationId, { kind: kind.name, pass, limit: 5 }) : []) {
    if (get && (await askByKey(work, get, key)) != null) return true
  }
  return false
}

async function finish(work: Work, settling: Settling, pass: Pass, doubt?: Missed): Promise<Cursor | null> {
  const { missed: _, ...done } = pass
  return await save(work, settling, { ...done, stage: 'done' }, doubt)
}

async function save(
  { context, claim, before }: Work,
  { kind, slot, hasQuarantined }: Settling,
  pass: Pass,
  doubt?: Missed,
): Promise<Cursor | null> {
  const done = before + pass.tally.read
  return await context.transaction(async (trx) => {
    const total = pass.total === null ? null : Math.max(done, before + pass.total)
    if ((await enterRun(trx, claim, { done, total })) === null) return null
    // As it is now: another pass may have moved it on meanwhile.
    const held = await readCursor(trx, claim.integrationId, { kind: kind.name, slot })
    const isDone = pass.stage === 'done'
    const watermark = isDone ? watermarkAfter(held.watermark, pass) : held.watermark
    const ahead = isDone ? aheadAfter(held, pass) : (held.ahead ?? null)
    const historyDue = isDone && (pass.leftToIndex || pass.first) ? !pass.first : undefined
    await saveCursor(trx, claim.integrationId, { kind: kind.name, slot, pass, watermark, ahead, historyDue })
    if (hasQuarantined && isDone && isWhole(pass)) {
      await dropOldQuarantined(trx, claim.integrationId, {
        kind: kind.name,
        runId: claim.id,
        startedAt: pass.startedAt,
      })
    }
    if (historyDue) {
      const input = { resources: [kind.name] }
      await queueRun(context, trx, claim.integrationId, { resource: 'reconcile', input })
    }
    if (doubt) {
      await appendLog(trx, claim.integrationId, {
        level: 'warning',
        event: 'run.suspicious_deletes',
        words: logWords('run.suspicious_deletes', { ...doubt, kind: logWords(`kind_${kind.name}`) }),
        context: { held: doubt.held, unseen: doubt.unseen },
        runId: claim.id,
      })
    }
    return { watermark, pass }
  })
}
