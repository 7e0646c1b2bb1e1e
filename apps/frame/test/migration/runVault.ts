import { afterAll, beforeAll, beforeEach } from 'vitest'
import { startVault, type VaultServer } from '../startVault.ts'

/**
 * Runs a vault for the tests of a file and passes it to `onStart`. Returns the server's clock; each
 * test begins an hour after the previous test.
 */
export function runVault(onStart: (server: VaultServer) => void): { nowMs: number } {
  const time = { nowMs: Date.parse('2026-11-21T12:00:00Z') }
  let server: VaultServer | undefined
  beforeAll(async () => {
    server = await startVault({ clock: () => time.nowMs })
    onStart(server)
  })
  afterAll(() => server?.remove())
  beforeEach(() => {
    time.nowMs += 3_600_000
  })
  return time
}
