import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../log.ts'
import type { Listener } from './listener.ts'

/**
 * Lets a process that answers requests know whether others do so too, on this machine or another, without any setting.
 * Each holds an advisory lock on its listening connection for as long as it lives: the list of holders is the list of
 * peers, and a crash removes a peer from it at once. A newcomer says hello and waits until the others have answered
 * that they now count together, before it takes its first request.
 */
export interface Peers {
  /** Resolves when every other process knows of this one. */
  joined: Promise<void>
  /** Says good-bye, so that the others need not find out by themselves. */
  close(): Promise<void>
}

const lockClass = 1_162_757_202
const channel = 'entrepot_peers'
const defaultCheckEveryMs = 5_000
const waitForAnswersMs = 3_000
const againMs = 1_000

export function joinPeers(options: {
  listener: Listener
  log: Log
  /** There are others: count together. Must be complete when it resolves. */
  onCompany: () => Promise<void>
  onAlone: () => void
  /** How soon a peer that crashed is missed. */
  checkEveryMs?: number
}): Peers {
  const { listener, log, onCompany, onAlone, checkEveryMs = defaultCheckEveryMs } = options
  const self = randomInt(1, 2_000_000_000)
  const answered = new Set<number>()
  let onAnswer = () => {}
  /** Grows with each newcomer: a list of peers that was asked for before one came does not have it. */
  let greetings = 0
  let connections = 0
  let left = false
  let settleJoined: () => void
  const joined = new Promise<void>((resolve) => {
    settleJoined = resolve
  })

  async function others(): Promise<number[]> {
    const rows = await listener.query(
      `select objid::bigint as id from pg_locks
       where locktype = 'advisory' and granted and classid = $1 and objid <> $2
         and database = (select oid from pg_database where datname = current_database())`,
      [lockClass, self],
    )
    return rows.map((row) => Number(row['id']))
  }

  const say = (text: string) => listener.query('select pg_notify($1, $2)', [channel, text])

  /** The peers there are; how to count from now on is settled with it. */
  async function settle(): Promise<number[]> {
    const before = greetings
    const ids = await others()
    if (ids.length > 0) await onCompany()
    else if (greetings === before) onAlone()
    return ids
  }

  async function join() {
    await onCompany()
    answered.clear()
    await listener.query('select pg_advisory_lock($1::int, $2::int)', [lockClass, self])
    const expected = await settle()
    if (expected.length > 0) {
      const complete = new Promise<void>((resolve) => {
        onAnswer = () => {
          if (expected.every((id) => answered.has(id))) resolve()
        }
      })
      await say(`hello ${self}`)
      onAnswer()
      await Promise.race([complete, new Promise((resolve) => setTimeout(resolve, waitForAnswersMs).unref())])
    }
    settleJoined()
  }

  /** Until it is done, for as long as that connection is there: nobody else would know of us, and each would count alone. */
  async function keepJoining() {
    const connection = ++connections
    while (listener.connected && connection === connections && !left) {
      try {
        return await join()
      } catch (error) {
        log.warn({ err: error }, 'other processes cannot be told of this one yet')
      }
      await sleep(againMs, undefined, { ref: false })
    }
  }

  async function check() {
    if (listener.connected) await settle()
  }

  async function leave() {
    if (!listener.connected) return
    // Taken once more with each try.
    await listener.query('select pg_advisory_unlock_all()')
    await say(`bye ${self}`)
  }

  const quietly = (work: () => Promise<void>) => () => {
    work().catch((error: unknown) => log.debug({ err: error }, 'looking for other processes failed'))
  }

  const greet = async (newcomer: string | undefined) => {
    greetings++
    await onCompany()
    await say(`here ${newcomer} ${self}`)
  }

  listener.on(channel, (text) => {
    const [word, whom, from] = text.split(' ')
    if (left) return
    if (word === 'hello' && Number(whom) !== self) quietly(() => greet(whom))()
    if (word === 'bye' && Number(whom) !== self) quietly(check)()
    if (word === 'here' && Number(whom) === self) {
      answered.add(Number(from))
      onAnswer()
    }
  })
  listener.onConnect(() => void keepJoining())
  // Without the connection nobody can announce themselves: assume company until it is back.
  listener.onDisconnect(quietly(onCompany))
  const timer = setInterval(quietly(check), checkEveryMs)
  timer.unref()

  return {
    joined,
    async close() {
      left = true
      clearInterval(timer)
      await leave().catch((error: unknown) => log.debug({ err: error }, 'leaving without announcing it'))
    },
  }
}
