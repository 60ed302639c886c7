import { type Clock, second } from './clock.ts'
import type { WeatherSource } from './weather.ts'

export interface Limit {
  burst: number
  perSecond: number
}

export type Bucket = ReturnType<typeof createBucket>

/** A bucket that refills with time; its limits may change with the weather. */
export function createBucket(clock: Clock) {
  let left: number | null = null
  let filledAt = clock.now()
  const refill = ({ burst, perSecond }: Limit) => {
    const now = clock.now()
    left = left === null ? burst : Math.min(burst, left + ((now - filledAt) / second) * perSecond)
    filledAt = now
    return left
  }
  return {
    /** Takes so many if they are there. */
    take(cost: number, limit: Limit) {
      const there = refill(limit)
      if (there < cost) return { taken: false, left: there, waitSeconds: (cost - there) / limit.perSecond }
      left = there - cost
      return { taken: true, left, waitSeconds: 0 }
    },
    give(back: number, limit: Limit): number {
      left = Math.min(limit.burst, refill(limit) + back)
      return left
    },
  }
}

/** A bucket for each name, as wide as the weather makes it. */
export function createBuckets({ clock, weather }: { clock: Clock; weather: WeatherSource }) {
  const buckets = new Map<string, Bucket>()
  return (name: string, { burst, perSecond }: Limit) => {
    const scale = weather.now().limit_scale
    const limit = { burst: burst * scale, perSecond: perSecond * scale }
    const bucket = buckets.get(name) ?? createBucket(clock)
    buckets.set(name, bucket)
    return { ...bucket.take(1, limit), limit }
  }
}
