import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { validate as deployment } from 'kubernetes-models/_schemas/IoK8sApiAppsV1Deployment'
import { validate as horizontalPodAutoscaler } from 'kubernetes-models/_schemas/IoK8sApiAutoscalingV2HorizontalPodAutoscaler'
import { validate as job } from 'kubernetes-models/_schemas/IoK8sApiBatchV1Job'
import { validate as service } from 'kubernetes-models/_schemas/IoK8sApiCoreV1Service'
import { validate as serviceAccount } from 'kubernetes-models/_schemas/IoK8sApiCoreV1ServiceAccount'
import { validate as ingress } from 'kubernetes-models/_schemas/IoK8sApiNetworkingV1Ingress'
import { validate as networkPolicy } from 'kubernetes-models/_schemas/IoK8sApiNetworkingV1NetworkPolicy'
import { validate as podDisruptionBudget } from 'kubernetes-models/_schemas/IoK8sApiPolicyV1PodDisruptionBudget'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { cases, chart, fingerprint, readRendered, valuesOf } from './helm/render.ts'
import { unread, watched } from './support/watched.ts'

const schemas = {
  Deployment: deployment,
  HorizontalPodAutoscaler: horizontalPodAutoscaler,
  Job: job,
  Service: service,
  ServiceAccount: serviceAccount,
  Ingress: ingress,
  NetworkPolicy: networkPolicy,
  PodDisruptionBudget: podDisruptionBudget,
}

interface Container {
  name: string
  resources: { limits?: { memory?: string }; requests?: { memory?: string } }
  securityContext: object
  livenessProbe?: { httpGet: { port: string } }
  readinessProbe?: { httpGet: { port: string } }
  ports?: { name: string; containerPort: number }[]
  env: { name: string; value?: string }[]
}

interface Resource {
  kind: keyof typeof schemas
  metadata: { name: string; annotations?: Record<string, string> }
  spec?: {
    template?: { spec: { containers: Container[]; securityContext: object; automountServiceAccountToken: boolean } }
  }
}

const resourcesOf = (name: (typeof cases)[number]): Resource[] =>
  parseAllDocuments(readRendered(name)).flatMap((document) => (document.contents === null ? [] : [document.toJS()]))

/** Fields that the schema does not know; throws where it forbids something. */
function overlooked(resource: Resource): string[] {
  const { value, read } = watched(resource)
  const isValid = schemas[resource.kind]
  if (!isValid(value)) throw new Error(JSON.stringify(Reflect.get(isValid, 'errors')))
  return unread(resource, read)
}

test('a slip in a resource does not go unnoticed', () => {
  const [api] = resourcesOf('least')
  if (!api) throw new Error('There is no Deployment.')
  expect(overlooked({ ...api, spec: { ...api.spec, ...{ replikas: 2 } } })).toEqual(['/spec/replikas'])
  expect(() => overlooked({ ...api, spec: { ...api.spec, ...{ replicas: 'two' } } })).toThrow('/spec/replicas')
})

describe.each(cases)('the chart with %s', (name) => {
  test('is rendered as it stands now', async () => {
    expect(readRendered(name).split('\n')[0]).toBe(`# ${await fingerprint(name)}`)
  })

  test('holds nothing that Kubernetes would refuse or overlook', () => {
    for (const resource of resourcesOf(name)) {
      const where = `${resource.kind} ${resource.metadata.name}`
      expect([where, ...overlooked(resource)]).toEqual([where])
    }
  })

  test('runs as nobody, on a read-only root, within bounds, with probes where something listens', () => {
    const pods = resourcesOf(name).flatMap(({ spec }) => (spec?.template ? [spec.template.spec] : []))
    expect(pods).toHaveLength(3)
    for (const pod of pods) {
      expect(pod.automountServiceAccountToken).toBe(false)
      expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
      for (const container of pod.containers) {
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        })
        expect(container.resources.limits?.memory).toMatch(/^\d+Mi$/)
        expect(container.resources.requests?.memory).toMatch(/^\d+Mi$/)
        const probes = container.ports?.find((port) => port.name === 'probes')?.containerPort
        expect(String(probes)).toBe(
          container.name === 'migrate' ? 'undefined' : container.env.find((env) => env.name === 'PROBE_PORT')?.value,
        )
        for (const probe of [container.livenessProbe, container.readinessProbe]) {
          expect(probe?.httpGet.port).toBe(container.name === 'migrate' ? undefined : 'probes')
        }
      }
    }
  })

  test('takes values that its schema allows', () => {
    const schema = JSON.parse(readFileSync(join(chart, 'values.schema.json'), 'utf8'))
    const isAllowed = new Ajv({ strict: false }).compile(schema)
    const values = parse(readFileSync(valuesOf(name), 'utf8'))
    expect([isAllowed(values), isAllowed.errors]).toEqual([true, null])
    expect(isAllowed({ ...values, publicURL: 'x' })).toBe(false)
    expect(isAllowed({ ...values, settings: { DATABASE_URL: 'postgres://…' } })).toBe(false)
    expect(isAllowed({ ...values, settings: { RATE_LIMIT_USER: 1_000_000 } })).toBe(false)
  })
})

test('what the chart needs is named where it is missing', () => {
  const schema = JSON.parse(readFileSync(join(chart, 'values.schema.json'), 'utf8'))
  const isAllowed = new Ajv({ strict: false }).compile(schema)
  expect(isAllowed(parse(readFileSync(join(chart, 'values.yaml'), 'utf8')))).toBe(false)
  expect(isAllowed.errors?.[0]?.instancePath).toMatch(/^\/(publicUrl|existingSecret)$/)
})

test('the migration runs before the processes, and further resources come only when they are asked for', () => {
  const kinds = (name: (typeof cases)[number]) =>
    resourcesOf(name)
      .map(({ kind, metadata }) => `${kind} ${metadata.name}`)
      .sort()
  expect(kinds('least')).toEqual([
    'Deployment shop-entrepot-api',
    'Deployment shop-entrepot-worker',
    'Job shop-entrepot-migrate',
    'NetworkPolicy shop-entrepot-api',
    'NetworkPolicy shop-entrepot-worker',
    'PodDisruptionBudget shop-entrepot-api',
    'PodDisruptionBudget shop-entrepot-worker',
    'Service shop-entrepot',
    'ServiceAccount shop-entrepot',
  ])
  expect(kinds('everything').filter((name) => !kinds('least').includes(name))).toEqual([
    'HorizontalPodAutoscaler shop-entrepot-api',
    'HorizontalPodAutoscaler shop-entrepot-worker',
    'Ingress shop-entrepot',
  ])
  const job = resourcesOf('least').find(({ kind }) => kind === 'Job')
  expect(job?.metadata.annotations?.['helm.sh/hook']).toBe('pre-install,pre-upgrade')
})
