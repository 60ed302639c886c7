import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { renderGuide } from '../../src/api/guide-markdown.ts'
import { queueConnections } from '../../src/runtime/jobs/queue.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { promtool } from './support/promtool.ts'

/** Alerts, dashboards, the guide and the program speak of the same figures. */

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const check = (...args: string[]) => execFileSync(promtool(), args, { cwd: root, encoding: 'utf8', stdio: 'pipe' })

interface Rule {
  alert: string
  expr: string
  labels: { severity: string }
  annotations: { summary: string; runbook: string }
}
const rules: Rule[] = parse(read('deploy/prometheus/alerts.yml')).groups.flatMap(
  (group: { rules: Rule[] }) => group.rules,
)

interface Panel {
  id: number
  title: string
  gridPos: { x: number; y: number; w: number; h: number }
  datasource: { uid: string }
  targets: { expr: string; refId: string; datasource: { uid: string } }[]
}
interface Dashboard {
  uid: string
  title: string
  schemaVersion: number
  templating: { list: { type: string; name: string; query: string }[] }
  panels: Panel[]
}
const dashboards = readdirSync(join(root, 'deploy/grafana/dashboards')).map(
  (file): Dashboard => JSON.parse(read(`deploy/grafana/dashboards/${file}`)),
)

const guide = read('docs/guides/monitoring.md')

/** Names in the table, written out: `entrepot_a_b`, `_c` is entrepot_a_b and what ends in _c beside it. */
const figuresOfGuide = (): string => guide.slice(guide.indexOf('## Figures'), guide.indexOf('## What to do'))

/** How Grafana names a variable. */
const chosen = ['$', '{datasource}'].join('')

/** A histogram is one figure under three names. */
const bare = (name: string) => name.replace(/_(?:bucket|count|sum)$/, '')
const namesIn = (expr: string) => [...expr.matchAll(/\b(?:entrepot|nodejs|process)_\w+/g)].map(([name]) => bare(name))

describe('promtool', () => {
  test('finds the rules and the configuration valid', () => {
    expect(check('check', 'rules', 'deploy/prometheus/alerts.yml')).toContain(`${rules.length} rules found`)
    expect(check('check', 'config', 'deploy/prometheus/prometheus.yml')).toContain('valid prometheus config')
  })

  test('sees every alert raised when it should be, and none within bounds', () => {
    expect(check('test', 'rules', 'test/deploy/alerts.promtool.yml')).toContain('SUCCESS')
    const tried = read('test/deploy/alerts.promtool.yml')
    expect(rules.filter(({ alert }) => !tried.includes(`alertname="${alert}"`)).map(({ alert }) => alert)).toEqual([])
  })

  test('understands every expression of the dashboards', () => {
    const exprs = dashboards.flatMap(({ panels }) => panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)))
    expect(exprs.length).toBeGreaterThan(40)
    const file = join(mkdtempSync(join(tmpdir(), 'entrepot-dashboards-')), 'rules.json')
    const recorded = exprs.map((expr, at) => ({ record: `expr_${at}`, expr }))
    try {
      writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboards', rules: recorded }] }))
      expect(check('check', 'rules', file)).toContain(`${exprs.length} rules found`)
    } finally {
      rmSync(dirname(file), { recursive: true })
    }
  })
})

describe('every alert', () => {
  const { sections } = renderGuide('monitoring', guide)
  const anchors = new Set(sections.map(({ address }) => address))

  test.each(rules.map((rule) => [rule.alert, rule] as const))('%s leads to what to do', (alert, rule) => {
    expect(anchors).toContain(rule.annotations.runbook)
    const section = sections.find(({ address }) => address === rule.annotations.runbook)
    expect(section?.text).toContain(`${alert}, ${rule.labels.severity}:`)
    expect(rule.annotations.summary).not.toBe('')
  })

  test('and nothing to do is left without one', () => {
    const headings = guide.slice(guide.indexOf('## What to do')).match(/^### .*$/gm) ?? []
    expect(headings).toHaveLength(rules.length)
    expect(new Set(rules.map(({ annotations }) => annotations.runbook)).size).toBe(rules.length)
  })
})

describe('every figure', () => {
  let server: TestServer
  const shown = new Set<string>()
  const pools = new Map<string, number>()
  beforeAll(async () => {
    server = await startTestServer({ works: true })
    const { text } = await server.call('GET', '/metrics')
    for (const [, name = ''] of text.matchAll(/^# TYPE (\S+) /gm)) shown.add(name)
    for (const [, pool = '', most] of text.matchAll(/^entrepot_database_connections_max\{pool="(\w+)"\} (\d+)$/gm))
      pools.set(pool, Number(most))
  })
  afterAll(() => server.close())

  test('of rules and dashboards is one that the program shows', () => {
    const used = [
      ...rules.flatMap(({ expr }) => namesIn(expr)),
      ...dashboards.flatMap(({ panels }) =>
        panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => namesIn(expr))),
      ),
    ]
    expect([...new Set(used)].filter((name) => !shown.has(name))).toEqual([])
  })

  test('of the program is in the table of the guide', () => {
    const table = figuresOfGuide()
    const isNamed = (name: string) => {
      if (table.includes(`\`${name}\``)) return true
      // Those beside another are shortened to what differs.
      const parts = name.split('_')
      return parts.some(
        (_, at) =>
          at > 1 &&
          table.includes(`\`_${parts.slice(at).join('_')}\``) &&
          table.includes(`\`${parts.slice(0, at).join('_')}`),
      )
    }
    const ours = [...shown].filter((name) => name.startsWith('entrepot_'))
    expect(ours.length).toBeGreaterThan(30)
    expect(ours.filter((name) => !isNamed(name))).toEqual([])
  })

  test('of connections is what the guides reckon with', () => {
    const { requests = 0, jobs = 0, ...others } = Object.fromEntries(pools)
    const deploy = read('docs/guides/deploy.md')
    const [api = [], worker = [], both = []] = ['API', 'worker', 'both in one'].map((process) => {
      const [, row = ''] = new RegExp(`^\\| ${process}\\b.*?\\| (.*) \\|$`, 'm').exec(deploy) ?? []
      return row.split(' | ').map((cell) => (cell.match(/\b\d+\b/g) ?? []).map(Number))
    })
    const sum = (cells: number[][]) => cells.flat().reduce((all, one) => all + one, 0)
    const beside = Object.values(others).toSorted()
    expect([api[0]?.[0], worker[0]?.[0], both[0]?.[0]]).toEqual([requests, jobs, requests + jobs])
    expect(worker[0]?.slice(1).toSorted()).toEqual(beside)
    expect(both[0]?.slice(1).toSorted()).toEqual(beside)
    expect(worker[1]?.[0]).toBe(queueConnections)
    expect(deploy).toContain(`an API process takes ${sum(api)} and a worker ${sum(worker)}. `)
    expect(deploy).toContain(`One API process and two workers take ${sum(api) + 2 * sum(worker)}, `)
    const scaling = read('docs/guides/scaling.md')
    expect(scaling).toContain(`\`DATABASE_CONNECTIONS + ${sum(api) - requests}\``)
    expect(scaling).toContain(`\`WORKER_DATABASE_CONNECTIONS + ${sum(worker) - jobs}\``)
    expect(scaling).toContain(`Ten of each at the usual settings are ${10 * (sum(api) + sum(worker))}:`)
  })
})

describe.each(dashboards.map((dashboard) => [dashboard.title, dashboard] as const))(
  'the dashboard %s',
  (_, dashboard) => {
    test('asks the data source that is chosen, in panels that do not overlap', () => {
      expect(dashboard.uid).toMatch(/^entrepot-\w+$/)
      expect(dashboard.schemaVersion).toBe(39)
      expect(dashboard.templating.list).toMatchObject([{ type: 'datasource', name: 'datasource', query: 'prometheus' }])
      const taken = new Set<string>()
      for (const { gridPos, datasource, targets, title } of dashboard.panels) {
        expect(title).not.toBe('')
        for (const { uid } of [datasource, ...targets.map((target) => target.datasource)]) expect(uid).toBe(chosen)
        expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24)
        for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++) {
          for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
            expect(taken).not.toContain(`${x} ${y}`)
            taken.add(`${x} ${y}`)
          }
        }
      }
      const ids = dashboard.panels.map(({ id }) => id)
      expect(new Set(ids).size).toBe(ids.length)
    })
  },
)
