import type { Endpoint } from './endpoint.ts'
import { fullPath } from './endpoint.ts'

/** Which methods a path knows: for 405, `Allow` and plain OPTIONS. Asked only when no route has matched. */
export interface RouteTable {
  methodsOf(path: string): string[]
}

const order = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

export function routeTable(endpoints: readonly Endpoint[]): RouteTable {
  const routes = endpoints.map((endpoint) => ({
    method: endpoint.method,
    pattern: new RegExp(
      `^${fullPath(endpoint)
        .replaceAll('.', '\\.')
        .replace(/\{\w+\}/g, '[^/]+')}/?$`,
    ),
  }))
  return {
    methodsOf(path) {
      const known = new Set<string>()
      for (const route of routes) if (route.pattern.test(path)) known.add(route.method)
      if (known.has('GET')) known.add('HEAD')
      return order.filter((method) => known.has(method))
    },
  }
}

export const unknownRoute = (path: string) => `The route ${path.replace(/^\/+/, '')} could not be found.`

export const wrongMethod = (method: string, path: string, allowed: readonly string[]) =>
  `The ${method} method is not supported for route ${path.replace(/^\/+/, '')}. Supported methods: ${allowed.join(', ')}.`
