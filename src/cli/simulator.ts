import { ConfigError } from '../config.ts'
import { command } from './command.ts'
import { enlargeYoungGeneration } from './memory.ts'

export const simulatorCommand = command({
  name: 'simulator',
  summary: 'Start a shop to connect to, with weather',
  options: {
    dialect: { type: 'string', value: 'NAME', description: 'How it speaks: shopify (default), woo or market' },
    port: { type: 'string', value: 'PORT', description: 'The port on 127.0.0.1; 0, the default, is any free one' },
    orders: { type: 'string', value: 'N', description: 'How many orders it starts with; 250' },
    products: { type: 'string', value: 'N', description: 'How many products it has; 200' },
    weather: { type: 'string', value: 'NAME', description: 'calm (default) or rough' },
    seed: { type: 'string', description: 'The same seed is the same shop; 1' },
    'token-seconds': { type: 'string', value: 'N', description: 'How long access tokens live' },
  },
  async run(values, output) {
    // Loaded here and not above: the service itself never needs it.
    const { startSimulator } = await import('../simulator/start.ts')
    const { dialects, weatherNames } = await import('../simulator/options.ts')
    const simulator = await startSimulator({
      ...oneOf('dialect', values.dialect, dialects),
      ...oneOf('weather', values.weather, weatherNames),
      ...number('port', 'port', values.port, 65_535),
      ...number('orders', 'orders', values.orders, 1_000_000),
      ...number('products', 'products', values.products, 20_000),
      ...number('token-seconds', 'tokenSeconds', values['token-seconds'], 100_000_000),
      ...(values.seed === undefined ? {} : { seed: values.seed }),
    })
    enlargeYoungGeneration()
    const stop = () => {
      simulator.close().then(
        () => process.exit(0),
        () => process.exit(1),
      )
    }
    process.once('SIGTERM', stop)
    process.once('SIGINT', stop)
    const { baseUrl, shop, dialect, credentials } = simulator
    output.result(
      { base_url: baseUrl, shop, dialect, credentials },
      `A shop that speaks ${dialect} is open. Stop with Ctrl-C.\n  base_url     ${baseUrl}\n  shop         ${shop}\n${Object.entries(
        credentials,
      )
        .map(([name, value]) => `  ${name}: ${value}`)
        .join('\n')}`,
    )
  },
})

function oneOf<const Name extends string, const T extends string>(
  name: Name,
  given: string | undefined,
  known: readonly T[],
): Partial<Record<Name, T>> {
  if (given === undefined) return {}
  const found = known.find((one) => one === given)
  if (found === undefined) throw new ConfigError(`--${name} must be one of ${known.join(', ')}, not "${given}".`)
  const chosen: Partial<Record<Name, T>> = {}
  chosen[name] = found
  return chosen
}

function number<const Key extends string>(
  name: string,
  key: Key,
  given: string | undefined,
  max: number,
): Partial<Record<Key, number>> {
  if (given === undefined) return {}
  if (!/^\d{1,9}$/.test(given) || Number(given) > max) {
    throw new ConfigError(`--${name} must be a whole number from 0 to ${max}, not "${given}".`)
  }
  const chosen: Partial<Record<Key, number>> = {}
  chosen[key] = Number(given)
  return chosen
}
