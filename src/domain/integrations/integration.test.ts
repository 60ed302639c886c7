import { describe, expect, test } from 'vitest'
import {
  type IntegrationStatus,
  integrationStatuses,
  isIntegrationStatus,
  isRunning,
  mayMove,
  reasonFor,
} from './integration.ts'

describe('an integration', () => {
  const everybody: Readonly<Record<IntegrationStatus, readonly IntegrationStatus[]>> = {
    PENDING: ['PENDING', 'ACTIVE', 'UNINSTALLED'],
    ACTIVE: ['ACTIVE', 'INACTIVE', 'UNINSTALLED'],
    INACTIVE: ['ACTIVE', 'INACTIVE', 'UNINSTALLED'],
    ERROR: ['ACTIVE', 'INACTIVE', 'ERROR', 'UNINSTALLED'],
    UNINSTALLED: ['PENDING', 'UNINSTALLED'],
  }

  test.each(integrationStatuses)('that is %s may be moved by anybody where people may want it', (from) => {
    expect(integrationStatuses.filter((to) => mayMove(from, to, 'anybody'))).toEqual(everybody[from])
  })

  test.each(integrationStatuses)('that is %s may be moved by us as well, and only by us into an error', (from) => {
    const ours = integrationStatuses.filter((to) => mayMove(from, to, 'system') && !everybody[from].includes(to))
    expect(ours).toEqual(from === 'ACTIVE' ? ['ERROR'] : [])
    expect(everybody[from].every((to) => mayMove(from, to, 'system'))).toBe(true)
  })

  test.each([
    ['PENDING', 'awaiting_installation'],
    ['ACTIVE', null],
    ['INACTIVE', 'paused'],
    ['ERROR', null],
    ['UNINSTALLED', 'uninstalled'],
  ] as const)('that somebody has made %s says %s', (status, reason) => {
    expect(reasonFor(status)).toBe(reason)
  })

  test.each([
    ['ACTIVE', true, true],
    ['ACTIVE', false, false],
    ['ERROR', true, false],
    ['INACTIVE', true, false],
  ] as const)('that is %s and switched on: %s runs: %s', (status, active, runs) => {
    expect(isRunning({ status, active })).toBe(runs)
  })

  test('has one of five statuses, spelt exactly so', () => {
    expect(integrationStatuses.filter(isIntegrationStatus)).toHaveLength(5)
    expect(['active', 'GONE', '', 'ACTIVE '].filter(isIntegrationStatus)).toEqual([])
  })
})
