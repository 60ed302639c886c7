import type { IncomingHttpHeaders } from 'node:http'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { utf8Of } from '../../lib/text/utf8.ts'
import type { Endpoint } from './endpoint.ts'
import type { ReadyAnswer } from './send.ts'
import { tagOf } from './written/written.ts'

/** As much as a connection sends before it waits for the other side: what is shorter arrives no sooner for being smaller. */
export const worthSparing = 14_000

/** Above this, smaller takes longer to make than to send. */
const level = 4
const compress = promisify(gzip)

/** Reads of what is stored. Answers that are made of something else, such as tokens, are nobody's to keep. */
export const sparesBytes = ({ method, group, returns: { kind } }: Endpoint): boolean =>
  method === 'GET' && group.caller !== null && (kind === 'page' || kind === 'record' || kind === 'list')

/**
 * A long answer has a tag, and whoever shows the tag of what would be sent gets no body. Whoever takes gzip gets that, unless
 * the token came in a cookie: a browser sends that along when somebody else's page makes it ask, and then the length of an
 * answer says something about its contents (decision 33).
 */
export async function spareBytes(answer: ReadyAnswer, asked: IncomingHttpHeaders): Promise<ReadyAnswer> {
  const { status, body } = answer
  const isWritten = typeof body === 'string' || Buffer.isBuffer(body)
  if (status !== 200 || !isWritten || body.length < worthSparing) return answer
  const bytes = typeof body === 'string' ? utf8Of(body) : body
  const tag = answer.tag ?? tagOf(bytes)
  const headers = { ...answer.headers, etag: `W/"${tag}"`, vary: 'accept-encoding' }
  if (names(asked['if-none-match'], tag)) return { status: 304, headers, body: undefined }
  if (asked.authorization === undefined || !takesGzip(asked['accept-encoding'])) return { status, headers, body: bytes }
  const compressed = await compress(bytes, { level })
  return { status, headers: { ...headers, 'content-encoding': 'gzip' }, body: compressed }
}

const names = (tags: string | undefined, tag: string): boolean =>
  tags?.split(',').some((one) => one.trim().replace(/^W\//, '') === `"${tag}"`) ?? false

function takesGzip(accepted: unknown): boolean {
  if (typeof accepted !== 'string') return false
  return accepted.split(',').some((one) => {
    const [coding = '', weight = ''] = one.split(';').map((part) => part.trim().toLowerCase())
    return coding === 'gzip' && !/^q=0(\.0*)?$/.test(weight)
  })
}
