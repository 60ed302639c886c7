import { notFound } from './fault.ts'

/** A path segment as a record id. What cannot be an id cannot exist either, so it is "not found", never an error. */
export function recordId(segment: string): number {
  const id = /^[1-9]\d{0,15}$/.test(segment) ? Number(segment) : Number.NaN
  if (!Number.isSafeInteger(id)) throw notFound()
  return id
}
