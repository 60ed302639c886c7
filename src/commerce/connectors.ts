import type { Connector } from './connector.ts'

/** The connectors: those built in, by type, and those that tenants have described. */
export interface Connectors extends ReadonlyMap<string, Connector> {
  /** Makes a connector of a service's own definition; undefined if it no longer fits. */
  define?(type: string, definition: unknown): Connector | undefined
}

/** A service, or an integration of one. */
export interface Described {
  type: string
  /** Null for what comes with us, and for services that are a record and nothing more. */
  definition: unknown
}

/**
 * The connector of a service or an integration. The definition comes from the service itself and is never looked up by
 * type: a type may be somebody else's once its service is gone.
 */
export const connectorFor = (connectors: Connectors, { type, definition }: Described): Connector | undefined =>
  definition === null ? connectors.get(type) : connectors.define?.(type, definition)
