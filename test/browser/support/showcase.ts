import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, printed, runEntrepot, startEntrepot, stop } from '../../support/process.ts'

/** The program as anybody starts it, with an example tenant in it: what pictures and measurements are taken of. */
export interface Showcase {
  origin: string
  email: string
  password: string
  app: number
  integration: number
  order: number
  webhook: number
  close(): Promise<void>
}

interface Demo {
  user: { email: string; password: string }
  app: { id: number }
  integration: { id: number }
}

export async function openShowcase(): Promise<Showcase> {
  const dataDir = await mkdtemp(join(tmpdir(), 'entrepot-showcase-'))
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const env = { PORT: String(port), PUBLIC_URL: origin, ENTREPOT_DATA_DIR: dataDir, LOG_LEVEL: 'error' }
  const server = startEntrepot(['start'], { env, young: 16 })
  await printed(server, origin)
  const { stdout, stderr } = await runEntrepot(['demo', '--json'], { env })
  if (!stdout) throw new Error(stderr)
  const demo = JSON.parse(stdout) as Demo
  const { email, password } = demo.user
  const ask = await session(origin, email, password)
  const app = { 'x-entrepot-app': String(demo.app.id) }
  const path = `/api/2.0/user/apps/${demo.app.id}/webhooks`
  const { url } = await ask<{ url: string }>('POST', `${path}/catcher`)
  const webhook = await ask<{ id: number }>('POST', path, { url, events: ['*'] })
  await ask('POST', `${path}/${webhook.id}/test`)
  const orders = `/api/2.0/app/orders?integration_id=${demo.integration.id}&per_page=1`
  const order = await found(async () => (await ask<{ id: number }[]>('GET', orders, undefined, app))[0])
  return {
    ...{ origin, email, password, app: demo.app.id, integration: demo.integration.id },
    order: order.id,
    webhook: webhook.id,
    async close() {
      await stop(server)
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** The first sync takes a moment. */
async function found<Thing>(look: () => Promise<Thing | undefined>): Promise<Thing> {
  for (let tries = 0; tries < 600; tries++) {
    const thing = await look()
    if (thing) return thing
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('The first sync has brought nothing.')
}

/** The API, asked with a session of the console. */
async function session(origin: string, email: string, password: string) {
  const json = { 'content-type': 'application/json', 'x-entrepot-console': '1' }
  const signedIn = await fetch(`${origin}/console/session`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ email, password }),
  })
  const cookie = (signedIn.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  return async <Data>(
    method: string,
    path: string,
    body?: unknown,
    more: Record<string, string> = {},
  ): Promise<Data> => {
    const answer = await fetch(origin + path, {
      method,
      headers: { ...json, ...more, cookie },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return ((await answer.json()) as { data: Data }).data
  }
}
