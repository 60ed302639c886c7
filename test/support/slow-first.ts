import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * What takes longest begins first, so that no worker stands idle while another has a long file left. Where a run has
 * left its times behind, Vitest goes by those; this is for fresh clones, where it knows nothing but the size of files.
 */
const slow = [
  // Not all at once: some start several servers each, and look at the time.
  'test/journeys/proofs/processes',
  'test/mass-assignment',
  'test/deploy/image',
  'test/connectors.test.ts',
  'test/integrations/hostile-shop',
  'test/journeys/proofs/shops',
  'test/browser/documentation',
  'test/browser/console-pages',
  'test/journeys/proofs/others',
  'test/deploy/',
  'test/journeys/simulated-shops',
  'test/matrix',
  'test/browser/demo-pages',
  'test/tenancy',
  'test/journeys/command-line',
  'test/journeys/connect-by-browser',
  'test/integrations/changes-in-bad-weather',
  'test/browser/',
  'test/journeys/proofs/',
  'test/journeys/',
  'test/dispatch.test.ts',
  'test/uninstall.test.ts',
  'test/webhooks/',
  'test/integrations/',
  'test/simulator/',
  'test/',
]

export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const root = `${this.ctx.config.root}/`
    const rank = ({ moduleId }: TestSpecification): number => {
      const path = moduleId.replace(root, '')
      const found = slow.findIndex((start) => path.startsWith(start))
      return found < 0 ? slow.length : found
    }
    const sorted = await super.sort(files)
    return sorted.sort((a, b) => rank(a) - rank(b))
  }
}
