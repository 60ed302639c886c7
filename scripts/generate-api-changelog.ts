import { endpoints } from '../src/api/index.ts'
import { apiDocument } from '../src/api/openapi-page.ts'
import { changelogOf } from './api-changes/changelog.ts'
import { compareApis } from './api-changes/compare.ts'
import { readAccepted, readReleased } from './api-changes/released.ts'

/** What has changed for those who call the API since the last release, read off the two documents. */
export async function generateApiChangelog(): Promise<{ path: string; text: string }> {
  const changes = compareApis(await readReleased(), apiDocument(endpoints))
  return { path: 'docs/guides/api-changelog.md', text: changelogOf(changes, await readAccepted()) }
}
