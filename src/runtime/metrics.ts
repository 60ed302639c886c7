import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client'

/** What a registry holds, as it can be handed to another thread. */
export type Figures = readonly MetricObjectWithValues<MetricValue<string>>[]

/** What a Prometheus server reads at /metrics. One registry for each composed program, so that tests do not share one. */
export function createMetrics({ ofProcess = true }: { ofProcess?: boolean } = {}) {
  const registry = new Registry()
  // What is the same for all threads of a process is told by one of them.
  if (ofProcess) collectDefaultMetrics({ register: registry })
  let figuresElsewhere: () => Promise<Figures> = async () => []
  const requests = new Histogram({
    name: 'entrepot_http_request_seconds',
    help: 'Time to answer, by route and status',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  const jobs = new Counter({
    name: 'entrepot_jobs_total',
    help: 'Jobs finished, by name and outcome',
    labelNames: ['name', 'outcome'] as const,
    registers: [registry],
  })
  const deliveries = new Counter({
    name: 'entrepot_webhook_deliveries_total',
    help: 'Attempts to deliver to webhooks, by outcome',
    labelNames: ['outcome'] as const,
    registers: [registry],
  })
  const deliverySeconds = new Histogram({
    name: 'entrepot_webhook_attempt_seconds',
    help: 'Time that an endpoint took, by outcome',
    labelNames: ['outcome'] as const,
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
    registers: [registry],
  })
  const deliveryLag = new Histogram({
    name: 'entrepot_webhook_lag_seconds',
    help: 'From the event to its delivery',
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 600, 3600, 36_000],
    registers: [registry],
  })
  const quotaRefusals = new Counter({
    name: 'entrepot_quota_refusals_total',
    help: 'Records that were not made because their owner has as many as are allowed',
    labelNames: ['quota'] as const,
    registers: [registry],
  })
  const runSeconds = new Histogram({
    name: 'entrepot_run_seconds',
    help: 'From the start of a run to its end, by service, action and outcome',
    labelNames: ['service', 'action', 'outcome'] as const,
    buckets: [0.5, 1, 5, 15, 60, 300, 900, 3600, 14_400, 86_400],
    registers: [registry],
  })
  const shopAnswers = new Counter({
    name: 'entrepot_shop_answers_total',
    help: 'Answers of shops, by service and kind: the class of the status, 429 apart, or none if there was no answer',
    labelNames: ['service', 'kind'] as const,
    registers: [registry],
  })
  const loggedRequests = new Counter({
    name: 'entrepot_request_log_total',
    help: 'Calls for the request log, by outcome: written, left out of very many, or lost because the database was away',
    labelNames: ['outcome'] as const,
    registers: [registry],
  })
  return {
    loggedRequests,
    quotaRefusals,
    runSeconds,
    shopAnswers,
    requests,
    jobs,
    deliveries,
    deliverySeconds,
    deliveryLag,
    /** A value that is asked for when somebody reads the metrics. */
    gauge(name: string, help: string, read: () => number | Promise<number>, { aggregator = 'sum' }: Together = {}) {
      new Gauge({
        name,
        help,
        aggregator,
        registers: [registry],
        async collect() {
          // What cannot be asked for keeps the others from nobody.
          await Promise.resolve(read()).then(
            (value) => this.set(value),
            () => undefined,
          )
        },
      })
    },
    /** The same for several values of one name, told apart by labels; those that are gone are no longer shown. */
    gauges<Label extends string>(
      name: string,
      help: string,
      labelNames: readonly Label[],
      read: () => Promise<readonly Labelled<Label>[]>,
    ) {
      new Gauge<Label>({
        name,
        help,
        labelNames,
        registers: [registry],
        async collect() {
          await read().then(
            (values) => {
              this.reset()
              for (const { labels, value } of values) this.set(labels, value)
            },
            () => undefined,
          )
        },
      })
    },
    /** Adds those of another thread: what both have is one sum. */
    include(figures: () => Promise<Figures>) {
      figuresElsewhere = figures
    },
    figures: async (): Promise<Figures> => await Promise.all(registry.getMetricsAsArray().map(valuesOf)),
    async read(): Promise<string> {
      const others = await figuresElsewhere().catch(() => [])
      if (others.length === 0) return await registry.metrics()
      const names = new Set(others.map(({ name }) => name))
      const own = registry.getMetricsAsArray()
      const [alone, shared] = await Promise.all([
        Promise.all(
          own.filter(({ name }) => !names.has(name)).map(({ name }) => registry.getSingleMetricAsString(name)),
        ),
        Promise.all(own.filter(({ name }) => names.has(name)).map(valuesOf)),
      ])
      return `${[...alone, await AggregatorRegistry.aggregate([[...shared], [...others]]).metrics()].join('\n\n')}\n`
    },
    contentType: registry.contentType,
  }
}

type Collected = ReturnType<Registry['getMetricsAsArray']>[number] & { get(): Promise<Figures[number]> }

/** Asks for what is asked for when somebody reads it. */
const valuesOf = (metric: ReturnType<Registry['getMetricsAsArray']>[number]) => (metric as Collected).get()

/** What two threads have of the same name is together. */
interface Together {
  aggregator?: 'sum' | 'max'
}

export interface Labelled<Label extends string> {
  labels: Record<Label, string>
  value: number
}

export type Metrics = ReturnType<typeof createMetrics>
