import type { Caller } from '../../tenant.ts'

interface Entry {
  key: string
  caller: Caller
  /** On the same clock as `now`. */
  expiresAt: number
  usedSince: boolean
  tags: readonly string[]
}

export interface CallerCache {
  get(key: string): Caller | undefined
  /** What must be handed to `put`: it changes with everything that is forgotten. */
  readonly generation: number
  /** Does nothing if something was forgotten since `generation` was read: the facts may be from before that. */
  put(key: string, caller: Caller, options: { lifetimeMs: number; generation: number }): void
  /** Forgets the callers with a tag such as `user:5`. */
  forget(tag: string): void
  clear(): void
  readonly size: number
}

/** Callers by the digest of their token, bounded. `now` is a clock that only goes forward, in milliseconds. */
export function createCallerCache(options: { max: number; now: () => number }): CallerCache {
  const entries = new Map<string, Entry>()
  const byTag = new Map<string, Set<Entry>>()
  let generation = 0

  function drop(entry: Entry) {
    entries.delete(entry.key)
    for (const tag of entry.tags) {
      const tagged = byTag.get(tag)
      tagged?.delete(entry)
      if (tagged?.size === 0) byTag.delete(tag)
    }
  }

  /** The oldest goes, unless it was used since it was last looked at: then it goes to the end of the row. */
  function makeRoom() {
    for (const entry of entries.values()) {
      if (entries.size < options.max) return
      if (entry.usedSince && entry.expiresAt > options.now()) {
        entry.usedSince = false
        entries.delete(entry.key)
        entries.set(entry.key, entry)
      } else {
        drop(entry)
      }
    }
  }

  return {
    get(key) {
      const entry = entries.get(key)
      if (!entry) return undefined
      if (entry.expiresAt <= options.now()) {
        drop(entry)
        return undefined
      }
      entry.usedSince = true
      return entry.caller
    },
    get generation() {
      return generation
    },
    put(key, caller, { lifetimeMs, generation: begun }) {
      if (begun !== generation) return
      const known = entries.get(key)
      if (known) drop(known)
      makeRoom()
      const entry = { key, caller, expiresAt: options.now() + lifetimeMs, usedSince: false, tags: tagsOf(caller) }
      entries.set(key, entry)
      for (const tag of entry.tags) {
        const tagged = byTag.get(tag)
        if (tagged) tagged.add(entry)
        else byTag.set(tag, new Set([entry]))
      }
    },
    forget(tag) {
      generation++
      for (const entry of [...(byTag.get(tag) ?? [])]) drop(entry)
    },
    clear() {
      generation++
      entries.clear()
      byTag.clear()
    },
    get size() {
      return entries.size
    },
  }
}

/** Everything whose change changes what this caller may do. */
function tagsOf(caller: Caller): string[] {
  const tags = [`token:${caller.tokenId}`, `client:${caller.clientId}`]
  if (caller.kind === 'user') tags.push(`user:${caller.userId}`)
  else if (caller.appId !== null) tags.push(`app:${caller.appId}`)
  if (caller.onBehalfOf !== undefined) tags.push(`user:${caller.onBehalfOf}`)
  if (caller.kind === 'agent') tags.push(`agent:${caller.grantId}`)
  if (caller.kind === 'account') tags.push(`account:${caller.accountId}`)
  return tags
}
