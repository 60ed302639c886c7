import { type Bucket, createBucket, type Limit } from '../../buckets.ts'
import type { Answer } from '../../http/call.ts'
import type { World } from '../../world.ts'
import { no } from './reply.ts'

/** Tiny, and one for each operation and seller. */
const limits: Readonly<Record<string, Limit | undefined>> = {
  'orders.list': { burst: 10, perSecond: 4 },
  'orders.get': { burst: 20, perSecond: 10 },
  'orders.acknowledge': { burst: 20, perSecond: 5 },
  'orders.cancel': { burst: 5, perSecond: 2 },
  'shipments.create': { burst: 10, perSecond: 5 },
  'items.list': { burst: 5, perSecond: 2 },
  'items.put': { burst: 5, perSecond: 2 },
  'inventory.list': { burst: 5, perSecond: 2 },
  'inventory.set': { burst: 20, perSecond: 5 },
}
const other: Limit = { burst: 20, perSecond: 5 }

export function createLimits({ clock, weather }: World) {
  const buckets = new Map<string, Bucket>()
  let refusals = 0

  /** The answer under the limit of its operation, with what is left told in its headers. */
  return function limited(operation: string, name: string, run: () => Answer): Answer {
    const own = limits[operation] ?? other
    const scale = weather.now().limit_scale
    const limit = { burst: own.burst * scale, perSecond: own.perSecond * scale }
    const key = `${name} ${operation}`
    const bucket = buckets.get(key) ?? createBucket(clock)
    buckets.set(key, bucket)
    const { taken, left, waitSeconds } = bucket.take(1, limit)
    const headers = {
      'x-rate-limit': String(limit.perSecond),
      'x-rate-burst': String(limit.burst),
      'x-rate-remaining': String(Math.floor(left)),
    }
    if (!taken) {
      // Every other time it does not say how long to wait.
      const told = ++refusals % 2 === 0 ? {} : { 'retry-after': String(Math.max(1, Math.ceil(waitSeconds))) }
      return { ...no(429, 'QUOTA_EXCEEDED', `Too many calls of ${operation}.`), headers: { ...headers, ...told } }
    }
    const made = run()
    return { ...made, headers: { ...made.headers, ...headers } }
  }
}
