import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startStack } from '@latchkey/dev'

/** Starts the whole stack on free ports for this run and tells the specs where it is. */
export default async function start() {
  const dataDir = await mkdtemp(join(tmpdir(), 'latchkey-e2e-'))
  const stack = await startStack({ mode: 'production', ports: 'free', dataDir, log: () => {} })
  process.env.LATCHKEY_STACK = JSON.stringify({ urls: stack.urls, addresses: stack.addresses })
  return async () => {
    await stack.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
