import { chmod, mkdir, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Config } from '../../config.ts'
import { digest } from '../../lib/secret.ts'
import type { MadeDemo } from './make-demo.ts'

/**
 * A demo is asked of the service that runs, which has everything loaded that it takes: a process of its own would spend half of
 * its time on that. They speak through a socket in the data folder, which is open to nobody but its owner.
 */
type Place = Pick<Config, 'dataDir' | 'databaseUrl'>

interface Asked {
  seed: string
  /** Which database is meant: a service with another one is the wrong one to ask. */
  database: string
}

type Said = { made: MadeDemo } | { refused: string } | { elsewhere: true }

const maxLine = 1000
/** What the path of a socket may have, on the narrowest system. */
const maxPath = 100

function socketOf({ dataDir }: Place): string | null {
  const path = join(dataDir, 'demo.sock')
  return process.platform === 'win32' || path.length > maxPath ? null : path
}

const nameOf = ({ databaseUrl }: Place): string => digest(databaseUrl ?? 'embedded').toString('hex')

/** Answers those who ask; the function that comes back lets nobody in any more, and waits for those who are being answered. */
export async function answerDemos(
  place: Place,
  make: (seed: string) => Promise<MadeDemo>,
): Promise<() => Promise<void>> {
  const path = socketOf(place)
  if (path === null) return async () => undefined
  const answer = async (socket: Socket): Promise<Said> => {
    const { seed, database } = JSON.parse(await lineOf(socket)) as Asked
    return database === nameOf(place) ? { made: await make(seed) } : { elsewhere: true }
  }
  const server = createServer((socket) => {
    // Whoever asked may have gone; the demo is made all the same.
    socket.on('error', () => undefined)
    answer(socket)
      .catch((error: unknown): Said => ({ refused: error instanceof Error ? error.message : String(error) }))
      .then((said) => socket.end(JSON.stringify(said)))
  })
  await mkdir(dirname(path), { recursive: true })
  // Left behind by a service that was killed: two of them never share a data folder.
  await rm(path, { force: true })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(path, resolve))
  await chmod(path, 0o600)
  return () => new Promise((resolve) => server.close(() => resolve()))
}

/** Null where nobody answers who could make it. */
export async function askForDemo(place: Place, seed: string): Promise<MadeDemo | null> {
  const path = socketOf(place)
  const socket = path === null ? null : await connected(path)
  if (!socket) return null
  const asked: Asked = { seed, database: nameOf(place) }
  socket.write(`${JSON.stringify(asked)}\n`)
  const answer = await text(socket).catch(() => '')
  if (answer === '') {
    throw new Error('The service ended before the demo was ready. `demo --remove` removes what there is of it.')
  }
  const said = JSON.parse(answer) as Said
  if ('refused' in said) throw new Error(said.refused)
  return 'made' in said ? said.made : null
}

const connected = (path: string): Promise<Socket | null> =>
  new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => resolve(socket))
    socket.once('error', () => resolve(null))
  })

function lineOf(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let line = ''
    socket.setEncoding('utf8').on('data', (some: string) => {
      line += some
      if (line.includes('\n')) resolve(line)
      else if (line.length > maxLine) reject(new Error('That is no question for a demo.'))
    })
    socket.once('close', () => reject(new Error('Nothing was asked.')))
  })
}
