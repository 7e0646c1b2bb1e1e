import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildApp } from './apps/buildApp.ts'

/**
 * Bundles the server once for all test files that start it as a process (a global setup of Vitest).
 */
export default async function bundleServer(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'latchkey-build-'))
  try {
    await buildApp({ app: 'server', dataDir })
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}
