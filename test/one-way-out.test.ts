import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** What could carry a request past the egress guard, and the files that have a reason of their own. */
const waysOut: readonly { name: string; pattern: RegExp; except: readonly string[] }[] = [
  { name: 'undici', pattern: /(?:from|import\(|require\()\s*['"]undici/, except: ['src/runtime/egress/'] },
  {
    name: 'the global fetch',
    pattern: /(?<![\w.$])fetch\s*\(|globalThis\s*\.\s*fetch|\bfetch\s*[,)]/,
    // The command line on somebody's own machine asks what they name.
    except: ['src/runtime/egress/', 'src/cli/remote/send.ts'],
  },
  {
    name: 'other clients',
    pattern: /new\s+(?:WebSocket|EventSource|XMLHttpRequest)\b|navigator\.sendBeacon/,
    except: [],
  },
  {
    name: 'requests of node:http',
    pattern: /import\s+(?!type\b)[^'"]*\bfrom\s*['"](?:node:)?https?2?['"]|import\(\s*['"](?:node:)?https?2?['"]/,
    // Serves, and never asks.
    except: ['src/runtime/http/server.ts', 'src/runtime/http/probes/'],
  },
  {
    name: 'sockets',
    pattern:
      /import\s+(?!type\b)[^'"]*\b(?:connect|createConnection|Socket)\b[^'"]*\bfrom\s*['"](?:node:)?(?:net|tls)['"]/,
    // These lead to the operator's own database, look whether a port of this machine is taken, and open a file in the data folder.
    except: [
      'src/runtime/egress/',
      'src/runtime/db/address/connect-to.ts',
      'src/cli/diagnose.ts',
      'src/cli/demo/hand-over.ts',
    ],
  },
  { name: 'datagrams', pattern: /from\s*['"](?:node:)?dgram['"]/, except: [] },
]

// A shop of its own, in a process of its own: it serves, and sends webhooks of its own to whoever runs it.
const elsewhere = 'src/simulator/'

const sources = globSync('src/**/*.ts')
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => !path.endsWith('.test.ts') && !path.startsWith(elsewhere))
  .map((path) => ({ path, text: withoutComments(readFileSync(path, 'utf8')) }))

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
}

test.each(waysOut)('$name: only where there is a reason', ({ pattern, except }) => {
  const found = sources.filter(
    ({ path, text }) => pattern.test(text) && !except.some((start) => path.startsWith(start)),
  )
  expect(found.map(({ path }) => path)).toEqual([])
})

test.each([
  ['undici', "import { request } from 'undici'"],
  ['the global fetch', 'const answer = await fetch(url)'],
  ['the global fetch', 'const get = globalThis.fetch'],
  ['the global fetch', 'createClient({ fetch, base })'],
  ['other clients', 'new WebSocket(url)'],
  ['requests of node:http', "import { request } from 'node:https'"],
  ['requests of node:http', "import http from 'http'"],
  ['sockets', "import { connect } from 'node:net'"],
  ['sockets', "import {\n  connect,\n} from 'node:tls'"],
  ['sockets', "import { type Socket, createConnection } from 'node:net'"],
  ['datagrams', "import { createSocket } from 'node:dgram'"],
])('%s would be found in: %s', (name, line) => {
  expect(waysOut.find((way) => way.name === name)?.pattern.test(line)).toBe(true)
})

test.each([
  'egress.fetch({ url })',
  'prefetch(a)',
  "import type { Server } from 'node:http'",
  "import { isIP } from 'node:net'",
])('nothing is found in: %s', (line) => {
  expect(waysOut.filter((way) => way.pattern.test(line))).toEqual([])
})

test('there is something to look at', () => {
  expect(sources.length).toBeGreaterThan(100)
})
