import { randomInt } from 'node:crypto'
import type { Log } from '../log.ts'
import type { Listener } from './listener.ts'

/**
 * Tells a process that answers requests whether others do so too, on this machine or another, without any setting.
 * Each holds an advisory lock on its listening connection for as long as it lives: the list of holders is the list of
 * peers, and a crash removes a peer from it at once. A newcomer says hello and waits until the others have answered
 * that they now count together, before it takes its first request.
 */
export interface Peers {
  /** Resolves when every other process knows of this one. */
  joined: Promise<void>
  close(): void
}

const lockClass = 1_162_757_202
const channel = 'entrepot_peers'
const checkEveryMs = 5_000
const waitForAnswersMs = 3_000

export function joinPeers(options: {
  listener: Listener
  log: Log
  /** There are others: count together. Must be complete when it resolves. */
  onCompany: () => Promise<void>
  onAlone: () => void
}): Peers {
  const { listener, log, onCompany, onAlone } = options
  const self = randomInt(1, 2_000_000_000)
  const answered = new Set<number>()
  let onAnswer = () => {}
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

  async function join() {
    await onCompany()
    answered.clear()
    await listener.query('select pg_advisory_lock($1::int, $2::int)', [lockClass, self])
    const expected = await others()
    if (expected.length === 0) {
      onAlone()
    } else {
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

  async function check() {
    if (!listener.connected) return
    if ((await others()).length > 0) await onCompany()
    else onAlone()
  }

  const quietly = (work: () => Promise<void>) => () => {
    work().catch((error: unknown) => log.debug({ err: error }, 'looking for other processes failed'))
  }

  listener.on(channel, (text) => {
    const [word, to, from] = text.split(' ')
    if (word === 'hello' && Number(to) !== self)
      quietly(() =>
        onCompany()
          .then(() => say(`here ${to} ${self}`))
          .then(() => {}),
      )()
    if (word === 'here' && Number(to) === self) {
      answered.add(Number(from))
      onAnswer()
    }
  })
  listener.onConnect(quietly(join))
  // Without the connection nobody can tell us that they came: assume company until it is back.
  listener.onDisconnect(quietly(onCompany))
  const timer = setInterval(quietly(check), checkEveryMs)
  timer.unref()

  return { joined, close: () => clearInterval(timer) }
}
