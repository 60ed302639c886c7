import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** Holds so many connections open from one address, opened again when they are closed, a thousand a second at most, and says how many it opened. */

const { port, from, wanted, seconds, head, filled } = JSON.parse(process.argv[2] ?? '{}')
const bytes = Buffer.concat([Buffer.from(head), Buffer.alloc(filled, 'x')])
const open = new Set<Socket>()
let opened = 0

function add(): void {
  opened++
  const socket = connect({ port, host: '127.0.0.1', localAddress: from })
  open.add(socket)
  socket.on('connect', () => bytes.length > 0 && socket.write(bytes))
  socket.on('error', () => undefined)
  socket.on('data', () => undefined)
  socket.on('close', () => open.delete(socket))
}

const until = performance.now() + seconds * 1000
while (performance.now() < until || opened < wanted) {
  const atOnce = opened < wanted ? 200 : 20
  for (let n = 0; n < atOnce && open.size < wanted; n++) add()
  await sleep(20)
}
process.stdout.write(String(opened))
process.exit(0)
