import type pg from 'pg'
import type { Answering } from './closed-loop.ts'

/** What is measured beside a peer, in this order: what is stored last does not make lists longer that are read first. */
export const works = ['list', 'read', 'create', 'intake'] as const
export type Work = (typeof works)[number]

/** How somebody is asked for a piece of work. */
export interface Way extends Answering {
  work: Work
  /** Where there are several ways to ask for the same: what is particular about this one. */
  by?: string
  /** So many times as much of it we are to do in the same time. */
  target?: number
  /** Whether an answer is what was asked for; `answer` was JSON. */
  holds(answer: Json): boolean
}

/** Answers of others, of which nothing is known but that they are JSON. */
// biome-ignore lint/suspicious/noExplicitAny: whoever reads one says at once whether it is what was expected.
export type Json = any

/** Another service in a process of its own, with as many orders as we have. */
export interface RunningPeer {
  ways: readonly Way[]
  stop(): Promise<void>
}

/** What a peer is given. */
export interface Place {
  /** A database of its own, empty, on the PostgreSQL that we use too. */
  databaseUrl: string
  client: pg.Client
  /** A folder for what it writes; it is removed afterwards. */
  folder: string
  /** How many orders it is to hold. */
  orders: number
  perPage: number
  /** One of ours, as we answer it: what the others hold is to look like it. */
  order: Readonly<Record<string, unknown>>
}

export interface Peer {
  name: string
  /** Of its folder here, in which it is installed. */
  folder: string
  packageName: string
  start(place: Place): Promise<RunningPeer>
}
