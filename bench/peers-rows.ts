import { options, say } from './options.ts'
import { peerRow } from './peers/row.ts'
import { measurePeers } from './peers.ts'
import type { Row } from './report.ts'
import { withDatabases } from './support/database.ts'

export async function peers(): Promise<Row[]> {
  const results = await withDatabases((databaseUrl, makeDatabase) =>
    measurePeers({
      ...{ databaseUrl, makeDatabase, progress: say },
      ...{ orders: Number(options.orders), connections: Number(options.connections) },
      ...{ rounds: Number(options.rounds), seconds: Number(options.seconds) },
    }),
  )
  return results.map(peerRow)
}
