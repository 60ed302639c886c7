import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { notFound } from '../lib/fault.ts'
import type { PageRequest, PageRoute } from '../runtime/http/page.ts'
import { unknownRoute } from '../runtime/http/route-table.ts'

/**
 * Console, demo and components, as `scripts/build-web.ts` left them in `web/dist`. Read once: together they are smaller
 * than one logo upload. Where nothing has been built the pages say so, and the API is there all the same.
 */
const folder = join(import.meta.dirname, '../../web/dist')

interface WebFile {
  bytes: Buffer
  zipped: Buffer | null
  type: string
  etag: string
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json; charset=utf-8',
  '.woff2': 'font/woff2',
  '.png': 'image/png',
  '.ts': 'text/plain; charset=utf-8',
}

/** Scripts and styles come from here alone, and nothing may be put into a frame. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

const page = { 'content-security-policy': policy, 'cache-control': 'no-cache' }
const forEver = { 'cache-control': 'public, max-age=31536000, immutable' }
/** The name stays while the content changes: asked for again after a few minutes, and answered with 304. */
const forMinutes = { 'cache-control': 'public, max-age=300' }

export function webPages(): PageRoute[] {
  let files: Promise<ReadonlyMap<string, WebFile>> | undefined
  const serve = async (request: PageRequest, name: string, headers: Record<string, string>) => {
    files ??= readFiles()
    const file = (await files).get(name)
    if (!file) return name.endsWith('.html') ? notBuilt : missing()
    const common = { ...headers, etag: file.etag, vary: 'accept-encoding' }
    if (request.header('if-none-match') === file.etag) return { status: 304, headers: common }
    const zips = file.zipped !== null && /\bgzip\b/.test(request.header('accept-encoding') ?? '')
    return {
      status: 200,
      headers: { ...common, 'content-type': file.type, ...(zips && { 'content-encoding': 'gzip' }) },
      body: zips ? (file.zipped ?? file.bytes) : file.bytes,
    }
  }
  const console = (request: PageRequest) => serve(request, 'pages/console/index.html', page)
  return [
    { path: '/', handle: async (request) => entrance(request) },
    { path: '/console', handle: console },
    { path: '/console/*', handle: console },
    { path: '/demo', handle: (request) => serve(request, 'pages/demo/index.html', page) },
    { path: '/assets/{name}', handle: (request) => serve(request, `pages/assets/${request.params['name']}`, forEver) },
    {
      path: '/components/{name}',
      handle: (request) => serve(request, `components/${request.params['name']}`, forMinutes),
    },
  ]
}

/** People come in here; programs have nothing to look for. */
const entrance = (request: PageRequest) =>
  (request.header('accept') ?? '').includes('text/html')
    ? { status: 302, headers: { location: '/console' } }
    : { status: 404, body: { message: unknownRoute('/') } }

const missing = (): never => {
  throw notFound()
}

const notBuilt = {
  status: 503,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: 'The pages have not been built. Run: npm run build\n',
}

const zip = promisify(gzip)

async function readFiles(): Promise<ReadonlyMap<string, WebFile>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const read = files.map(async (file) => {
    const bytes = await readFile(file)
    const type = types[extname(file)] ?? 'application/octet-stream'
    const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`
    const zipped = /^(text|application|image\/svg)/.test(type) ? await zip(bytes) : null
    return [relative(folder, file).replaceAll('\\', '/'), { bytes, zipped, type, etag }] as const
  })
  return new Map(await Promise.all(read))
}
