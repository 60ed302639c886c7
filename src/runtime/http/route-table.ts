import { type Endpoint, fullPath } from './endpoint.ts'

/** Which methods a path knows: for 405, `Allow` and plain OPTIONS. Asked only when no route has matched. */
export interface RouteTable {
  methodsOf(path: string): string[]
}

const order = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

export function routeTable(endpoints: readonly Endpoint[], pages: readonly { path: string }[] = []): RouteTable {
  const routes = [
    ...endpoints.map((endpoint) => ({ method: endpoint.method, pattern: patternOf(fullPath(endpoint)) })),
    ...pages.map((page) => ({ method: 'GET', pattern: patternOf(page.path) })),
  ]
  return {
    methodsOf(path) {
      const known = new Set<string>()
      for (const route of routes) if (route.pattern.test(path)) known.add(route.method)
      if (known.has('GET')) known.add('HEAD')
      return order.filter((method) => known.has(method))
    },
  }
}

const patternOf = (path: string) =>
  new RegExp(
    `^${path
      .replaceAll('.', '\\.')
      .replace('*', '.+')
      .replace(/\{\w+\}/g, '[^/]+')}/?$`,
  )

const withoutSlash = (path: string) => path.replace(/^\/+/, '')

export const unknownRoute = (path: string) => `The route ${withoutSlash(path)} could not be found.`

export const wrongMethod = (method: string, path: string, allowed: readonly string[]) =>
  `The ${method} method is not supported for route ${withoutSlash(path)}. Supported methods: ${allowed.join(', ')}.`
