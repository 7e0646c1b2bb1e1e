import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startStack } from '@latchkey/dev'

/** Starts the whole stack on free ports for this run and tells the specs where it is. */
export default async function start() {
  const dataDir = await mkdtemp(join(tmpdir(), 'latchkey-e2e-'))
  const doorPort = await freePort()
  process.env.RELAY_AUDIENCES = `ws://127.0.0.1:${doorPort}`
  // A test says where a browser is: mails are counted by network address too.
  process.env.TRUST_PROXY = '1'
  const stack = await startStack({ mode: 'production', ports: 'free', dataDir, log: () => {} })
  process.env.LATCHKEY_STACK = JSON.stringify({
    urls: stack.urls,
    addresses: stack.addresses,
    doorPort,
  })
  return async () => {
    await stack.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** A port of this machine that nobody uses now. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
