import { asPiece } from '../../lib/turns/piece-of-work.ts'
import { isDatabaseAway } from '../../runtime/db/connection.ts'
import type { Listener } from '../../runtime/db/listener.ts'
import type { Context } from '../context.ts'
import { stockChannel } from '../levels/stock-mark-store.ts'
import { followShop, settleShop } from './following/follow-shop.ts'
import { shopsWithMarks } from './following/follow-store.ts'
import { tellShop } from './telling/tell-shop.ts'
import { shopsToTell, shopsUnconfirmed, shopsWithDrift } from './telling/tell-store.ts'

/** A shop that takes long holds one of these. */
const atOnce = 32
/** What nobody announced, or was put off, is found by looking. */
const lookEveryMs = 500
const lookAtOnce = 1000
/** Every so many looks. */
const confirmEvery = 120

export interface StockLoop {
  /** Takes nothing new, and ends when what is under way has ended. */
  stop(): Promise<void>
}

type Work = 'follow' | 'tell' | 'settle'

/**
 * Keeps one stock over all shops: follows what was marked in shops, and tells shops what they are to show. Any number of workers may do so. That a shop is
 * slow to be told keeps nobody from following it, nor others from being told.
 */
export function startStockLoop({ context, listener }: { context: Context; listener: Listener }): StockLoop {
  const stopping = new AbortController()
  const due = new Set<string>()
  const running = new Map<string, Promise<void>>()
  let looking: NodeJS.Timeout | undefined
  let looks = 0

  function pump(): void {
    if (stopping.signal.aborted) return
    for (const name of due) {
      if (running.size >= atOnce) return
      // What is announced while it is worked on stays due.
      if (running.has(name)) continue
      due.delete(name)
      running.set(name, work(name))
    }
  }

  async function work(name: string): Promise<void> {
    const [what, id] = name.split(' ')
    try {
      if ((await asPiece(() => does[what as Work](Number(id)))) === 'more') due.add(name)
    } catch (error) {
      if (!isDatabaseAway(error)) context.log.warn({ err: error, integration: id }, 'the stock of a shop is waiting')
      // Looking for it would take longer.
      again(name)
    } finally {
      running.delete(name)
      pump()
    }
  }

  function again(name: string): void {
    setTimeout(() => {
      due.add(name)
      pump()
    }, lookEveryMs).unref()
  }

  const does: Readonly<Record<Work, (id: number) => Promise<'more' | 'done'>>> = {
    follow: (id) => followShop(context, id),
    tell: (id) => tellShop(context, id, stopping.signal),
    settle: async (id) => ((await settleShop(context, id)) > 0 ? 'more' : 'done'),
  }

  async function look(): Promise<void> {
    try {
      for (const id of await shopsToTell(context.db, lookAtOnce)) due.add(`tell ${id}`)
      // Marks lie on all nodes, and are announced: seldom is anything found here.
      if (looks++ % 10 === 0) {
        for (const id of await shopsWithMarks(context.db)) due.add(`follow ${id}`)
        for (const id of await shopsWithDrift(context.db, lookAtOnce)) due.add(`settle ${id}`)
      }
      // Levels of all articles are read now and then only: what that confirms can wait.
      if (looks % confirmEvery === 0)
        for (const id of await shopsUnconfirmed(context.db, lookAtOnce)) due.add(`settle ${id}`)
      pump()
    } catch (error) {
      if (!isDatabaseAway(error)) context.log.warn({ err: error }, 'looking for waiting stock failed')
    }
    if (!stopping.signal.aborted) looking = setTimeout(() => void look(), lookEveryMs).unref()
  }

  listener.on(stockChannel, (payload) => {
    if (/^(follow|tell) \d+$/.test(payload)) due.add(payload)
    pump()
  })
  void look()

  return {
    async stop() {
      stopping.abort()
      clearTimeout(looking)
      await Promise.all(running.values())
    },
  }
}
