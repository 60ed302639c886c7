/** Types of answers: fields by name, each a scalar or of a type of its own. */
export type Args = Readonly<Record<string, unknown>>

export interface ObjectType {
  name: string
  fields: Readonly<Record<string, Field | undefined>>
}

export interface Field {
  /** Missing for scalars. Late, because types refer to one another. */
  type?: () => ObjectType
  /** A list that is read in parts: its price grows with how much is asked for. */
  connection: boolean
  resolve(source: unknown, args: Args): unknown
}

type Resolve<Source> = (source: Source, args: Args) => unknown
type Definition<Source> = Resolve<Source> | { type: () => ObjectType; connection: boolean; resolve: Resolve<Source> }

/** The one cast: a resolver sees only sources of the type that it was defined for. */
export function objectType<Source>(name: string, fields: Readonly<Record<string, Definition<Source>>>): ObjectType {
  const made = Object.entries(fields).map(([key, definition]) => [
    key,
    typeof definition === 'function' ? { connection: false, resolve: definition } : definition,
  ])
  return { name, fields: Object.fromEntries(made) as Record<string, Field> }
}

/** A field that is an object, or a plain list of objects. */
export const of = <Source>(type: () => ObjectType, resolve: Resolve<Source>) => ({ type, connection: false, resolve })

export interface Connection {
  nodes: readonly { node: unknown; cursor: string }[]
  hasNextPage: boolean
  hasPreviousPage: boolean
}

const pageInfo = objectType<Connection>('PageInfo', {
  hasNextPage: (page) => page.hasNextPage,
  hasPreviousPage: (page) => page.hasPreviousPage,
  startCursor: (page) => page.nodes[0]?.cursor ?? null,
  endCursor: (page) => page.nodes.at(-1)?.cursor ?? null,
})

/** A list in parts, as `resolve` cuts it. */
export function connection<Source>(type: () => ObjectType, resolve: (source: Source, args: Args) => Connection) {
  let made: ObjectType | null = null
  const connectionType = () => {
    const edge = objectType<{ node: unknown; cursor: string }>('Edge', {
      cursor: ({ cursor }) => cursor,
      node: of(type, ({ node }) => node),
    })
    made ??= objectType<Connection>('Connection', {
      nodes: of(type, ({ nodes }) => nodes.map(({ node }) => node)),
      edges: of(
        () => edge,
        ({ nodes }) => nodes,
      ),
      pageInfo: of(
        () => pageInfo,
        (page) => page,
      ),
    })
    return made
  }
  return { type: connectionType, connection: true, resolve }
}

export const cursorOf = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

export function readCursor(cursor: unknown): unknown {
  if (typeof cursor !== 'string') return null
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    return null
  }
}

/** A short list that lies in memory, cut by `first` and `after`. */
export function cut(all: readonly unknown[], { first, after }: Args): Connection {
  const start = Number(readCursor(after) ?? -1) + 1
  const count = typeof first === 'number' ? first : all.length
  const nodes = all.slice(start, start + count).map((node, i) => ({ node, cursor: cursorOf(start + i) }))
  return { nodes, hasNextPage: start + count < all.length, hasPreviousPage: start > 0 }
}
