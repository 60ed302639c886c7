/**
 * The browser bundle of Scalar is inside its Fastify plug-in, which serves it from memory. We want only the bundle, so
 * a server that never listens is asked for it once.
 */
export async function loadScalar(): Promise<string> {
  const [{ default: fastify }, { default: plugin }] = await Promise.all([
    import('fastify'),
    import('@scalar/fastify-api-reference'),
  ])
  const source = fastify()
  await source.register(plugin, { routePrefix: '/', configuration: { url: '/api/openapi.json' } })
  const answer = await source.inject('/js/scalar.js')
  await source.close()
  if (answer.statusCode !== 200) throw new Error('The API reference script was not found in its package.')
  return answer.body
}
