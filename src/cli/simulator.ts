import { ConfigError } from '../config.ts'
import { enlargeYoungGeneration } from '../runtime/memory.ts'
import type { SimulatorOptions } from '../simulator/options.ts'
import type { Simulator } from '../simulator/start.ts'
import { command } from './command.ts'

export const simulatorCommand = command({
  name: 'simulator',
  summary: 'Start simulated platforms to connect to, with failures on demand',
  options: {
    platform: {
      type: 'string',
      value: 'TYPE',
      multiple: true,
      description: 'The platform, by the type of its connector; may be given several times. sandbox by default',
    },
    port: {
      type: 'string',
      value: 'PORT',
      description: 'The port on 127.0.0.1; the next platform gets the next port. Any free one by default',
    },
    orders: { type: 'string', value: 'N', description: 'Orders that a shop starts with; 250 by default' },
    products: { type: 'string', value: 'N', description: 'Products that it has; 200 by default' },
    weather: { type: 'string', value: 'NAME', description: 'calm (default) or rough' },
    seed: { type: 'string', description: 'The same seed gives the same shop; 1 by default' },
    variant: {
      type: 'string',
      value: 'NAME=VALUE',
      multiple: true,
      description: 'Platform-specific behaviour of the shop; see the guide',
    },
    'token-seconds': { type: 'string', value: 'N', description: 'How long access tokens live' },
  },
  async run(values, output) {
    // Loaded here and not above: the service itself never needs it.
    const { startSimulator } = await import('../simulator/start.ts')
    const { weatherNames } = await import('../simulator/options.ts')
    const { platforms } = await import('../simulator/platforms/index.ts')
    const weather = values.weather === undefined ? undefined : oneOf('weather', values.weather, weatherNames)
    const port = number('port', values.port, 65_535)
    const shared: SimulatorOptions = {
      ...optional('weather', weather),
      ...optional('orders', number('orders', values.orders, 1_000_000)),
      ...optional('products', number('products', values.products, 20_000)),
      ...optional('tokenSeconds', number('token-seconds', values['token-seconds'], 100_000_000)),
      ...optional('seed', values.seed),
      variant: Object.fromEntries((values.variant ?? []).map(variantIn)),
    }
    const names = (values.platform ?? ['sandbox']).map((name) => oneOf('platform', name, Object.keys(platforms)))
    const running: Simulator[] = []
    for (const [nth, platform] of names.entries()) {
      const own = port === undefined || port === 0 ? {} : { port: port + nth }
      running.push(await startSimulator({ ...shared, ...own, platform }))
    }
    enlargeYoungGeneration()
    const stop = () => {
      Promise.all(running.map((simulator) => simulator.close())).then(
        () => process.exit(0),
        () => process.exit(1),
      )
    }
    process.once('SIGTERM', stop)
    process.once('SIGINT', stop)
    for (const { platform, baseUrl, shop, egressRoute, install } of running) {
      output.result(
        { platform, base_url: baseUrl, shop, egress_route: egressRoute, install },
        inWords(platform, baseUrl, install),
      )
    }
    output.say(howToStart(running))
  },
})

const inWords = (platform: string, baseUrl: string, { shop, settings, credentials, client }: Simulator['install']) =>
  [
    `A ${platform} shop is open at ${baseUrl}.`,
    `  shop         ${shop}`,
    ...fieldsIn('settings', settings),
    ...(credentials ? fieldsIn('credentials', credentials) : ['  credentials  by browser only']),
    ...fieldsIn('client', client),
    '',
  ].join('\n')

const fieldsIn = (title: string, fields: Readonly<Record<string, unknown>>): string[] =>
  Object.entries(fields).map(
    ([name, value]) => `  ${title.padEnd(12)} ${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )

/** What the service needs to know to find these shops. */
function howToStart(running: readonly Simulator[]): string {
  const routes = running.flatMap(({ egressRoute }) => (egressRoute === '' ? [] : [egressRoute]))
  const route = routes.length === 0 ? '' : ` NODE_ENV=development EGRESS_ROUTE=${routes.join(',')}`
  return `Start the service with\n\n  EGRESS_ALLOW=127.0.0.1${route} npm start\n\nand install the connectors with these settings and credentials. Stop the shops with Ctrl-C.`
}

const optional = <const Name extends string, T>(name: Name, value: T | undefined): { [Key in Name]?: T } => {
  const chosen: { [Key in Name]?: T } = {}
  if (value !== undefined) chosen[name] = value
  return chosen
}

function oneOf<const T extends string>(name: string, given: string, known: readonly T[]): T {
  const found = known.find((one) => one === given)
  if (found === undefined) throw new ConfigError(`--${name} must be one of ${known.join(', ')}, not "${given}".`)
  return found
}

function number(name: string, given: string | undefined, max: number): number | undefined {
  if (given === undefined) return undefined
  if (!/^\d{1,9}$/.test(given) || Number(given) > max) {
    throw new ConfigError(`--${name} must be a whole number from 0 to ${max}, not "${given}".`)
  }
  return Number(given)
}

function variantIn(entry: string): readonly [string, string] {
  const [, name, value] = /^([a-z_]+)=(.+)$/.exec(entry) ?? []
  if (!name || !value) throw new ConfigError(`--variant must be NAME=VALUE, not "${entry}".`)
  return [name, value]
}
