import { openProgram, type Settings } from '../test/support/program.ts'
import { childSettings } from './support/child.ts'

/** Several servers in one process, in the order in which they are given; says where each of them listens. */
const servers = childSettings<{ settings: Settings[] }>()

const addresses: string[] = []
for (const settings of servers.settings) {
  const { http } = await openProgram(settings, { serves: true })
  addresses.push(`http://127.0.0.1:${await http?.listen('127.0.0.1', 0)}`)
}
process.stdout.write(`${addresses.join(' ')}\n`)
process.on('SIGTERM', () => process.exit(0))
