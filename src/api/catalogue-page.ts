import type { Context } from '../domain/context.ts'
import { notFound } from '../lib/fault.ts'
import type { PageRoute } from '../runtime/http/page.ts'

/** The pictures of the services that come with us, drawn by ourselves. */
const headers = {
  'content-type': 'image/svg+xml',
  'cache-control': 'public, max-age=3600',
  'content-security-policy': "default-src 'none'; sandbox",
}

export const cataloguePage = ({ connectors }: Pick<Context, 'connectors'>): PageRoute => ({
  path: '/catalogue/{name}',
  async handle({ params }) {
    const [, type = ''] = /^([a-z0-9_-]+)\.svg$/.exec(params['name'] ?? '') ?? []
    const logo = connectors.get(type)?.logo
    if (logo === undefined) throw notFound()
    return { status: 200, headers, body: logo }
  },
})
