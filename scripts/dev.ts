import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { createServer as createProbe } from 'node:net'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createServer, type Plugin } from 'vite'

/**
 * npm run dev [-- --web FOLDER]
 * The service as it is written: Vite stands in front and serves `web/` module by module, with hot reload; everything else
 * goes to the API behind it, which starts again when `src` or `migrations` change. One address for both, as in production.
 * The pages' Content-Security-Policy is the API's, so what Vite serves comes without.
 */
const root = join(import.meta.dirname, '..')
const { values: options } = parseArgs({ options: { web: { type: 'string', default: join(root, 'web') } } })
const host = process.env['HOST'] ?? '127.0.0.1'
const port = Number(process.env['PORT'] ?? 3000)
const url = process.env['PUBLIC_URL'] ?? `http://${host}:${port}`

const typeface = join(root, 'node_modules/@fontsource-variable/inter/files')

/** What is Vite's: pages, their modules, packages, and what it says to the browser. */
const ours = '(?:console|demo|components|parts|lib|design|assets\\.d\\.ts|node_modules|@[\\w-]+|src)(?:[/?]|$)'

/** Addresses of the console are pages of one document, and a bundle with a lasting name is a module here. */
const pages: Plugin = {
  name: 'entrepot-pages',
  configureServer(server) {
    server.middlewares.use((request, _response, next) => {
      const [path = '/', search] = (request.url ?? '/').split('?')
      const isPage = (request.headers.accept ?? '').includes('text/html')
      const file = isPage && /^\/(console|demo)(?:\/|$)/.exec(path)?.[1]
      const target = file
        ? `/${file}/index.html`
        : path === '/components/entrepot.js'
          ? '/components/entrepot.ts'
          : path.replace(/^\/components\/inter-([a-z-]+)\.woff2$/, `/@fs${typeface}/inter-$1-wght-normal.woff2`)
      request.url = search === undefined ? target : `${target}?${search}`
      next()
    })
  },
}

async function freePort(): Promise<number> {
  const probe = createProbe().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (typeof address !== 'object' || address === null) throw new Error('There is no free port.')
  return address.port
}

function startApi(apiPort: number): ChildProcess {
  const watched = ['src', 'migrations'].map((folder) => `--watch-path=${join(root, folder)}`)
  const env = {
    NODE_ENV: 'development',
    ...process.env,
    HOST: '127.0.0.1',
    PORT: String(apiPort),
    PUBLIC_URL: url,
  }
  return spawn(process.execPath, [...watched, join(root, 'bin/entrepot.js'), 'start'], { env, stdio: 'inherit' })
}

/** On a server of our own: Vite would end the process at a signal, and leave the API behind. */
async function startPages(apiPort: number): Promise<() => Promise<void>> {
  const front = createHttpServer()
  const vite = await createServer({
    root: options.web,
    configFile: false,
    appType: 'mpa',
    cacheDir: join(root, 'node_modules/.cache/vite'),
    plugins: [pages],
    server: {
      middlewareMode: { server: front },
      hmr: { server: front },
      fs: { allow: [root, options.web] },
      proxy: { [`^/(?!${ours})`]: { target: `http://127.0.0.1:${apiPort}`, xfwd: true } },
    },
  })
  front.on('request', vite.middlewares)
  front.listen(port, host)
  await once(front, 'listening')
  return async () => {
    front.closeAllConnections()
    front.close()
    await vite.close()
  }
}

const apiPort = await freePort()
const closePages = await startPages(apiPort)
const api = startApi(apiPort)
process.stdout.write(`Pages from ${options.web}, reloaded as they change: ${url}/console\n`)

let stopping = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    stopping = true
    api.kill('SIGTERM')
  })
}
const [code] = (await once(api, 'exit')) as [number | null]
await closePages()
process.exit(stopping ? 0 : (code ?? 1))
