import { describe, expect, test } from 'vitest'
import { createMetrics } from './metrics.ts'

describe('figures of two threads', () => {
  async function shown(): Promise<string> {
    const [main, thread] = [createMetrics(), createMetrics({ ofProcess: false })]
    for (const metrics of [main, thread]) metrics.shopAnswers.inc({ service: 'shopify', kind: '2xx' }, 3)
    main.requests.observe({ method: 'GET', route: '/orders', status: '200' }, 0.02)
    thread.jobs.inc({ name: 'perform-run', outcome: 'completed' }, 5)
    thread.runSeconds.observe({ service: 'shopify', action: 'sync_orders', outcome: 'completed' }, 2)
    main.gauge('mine', 'Of the main thread', () => 1)
    thread.gauge('theirs', 'Of the other thread', () => 2)
    for (const metrics of [main, thread]) metrics.gauge('both', 'Of both', () => 4)
    for (const metrics of [main, thread]) metrics.gauge('either', 'Of either', () => 1, { aggregator: 'max' })
    main.include(thread.figures)
    return await main.read()
  }

  test('are one page, on which everything has its name once', async () => {
    const names = [...(await shown()).matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name)
    expect(new Set(names).size).toBe(names.length)
    expect(names).toEqual(expect.arrayContaining(['mine', 'theirs', 'both', 'process_cpu_seconds_total']))
  })

  test('are added up where both have some', async () => {
    const lines = (await shown()).split('\n')
    expect(lines).toEqual(
      expect.arrayContaining([
        'entrepot_shop_answers_total{service="shopify",kind="2xx"} 6',
        'entrepot_jobs_total{name="perform-run",outcome="completed"} 5',
        'entrepot_http_request_seconds_count{method="GET",route="/orders",status="200"} 1',
        'entrepot_run_seconds_bucket{le="5",service="shopify",action="sync_orders",outcome="completed"} 1',
        ...['mine 1', 'theirs 2', 'both 8', 'either 1'],
      ]),
    )
  })

  test('are those of one where the other does not answer', async () => {
    const metrics = createMetrics()
    metrics.gauge('mine', 'Of the main thread', () => 1)
    metrics.include(async () => {
      throw new Error('It is gone.')
    })
    expect(await metrics.read()).toMatch(/^mine 1$/m)
  })
})
