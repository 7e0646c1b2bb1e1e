import type { VaultState } from '@latchkey/wire'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDevice } from '../../../test/addDevice.ts'
import { addUser, startVault, type VaultServer } from '../../../test/startVault.ts'
import type { FromWorker } from './messages.ts'
import { serveKeyWork } from './serveKeyWork.ts'

let server: VaultServer
beforeAll(async () => {
  server = await startVault()
})
afterAll(() => server?.remove())

test('error: a server that shows another user’s wallet does not get it into this browser', async () => {
  const userId = await addUser(server)
  const lie = { userId }
  const device = await addDevice(server, {
    userId,
    tamper: (path, result) =>
      path === '/api/wallet' ? { ...(result as VaultState), userId: lie.userId } : result,
  })
  const ask = (given: { readonly userId?: string }) =>
    new Promise<FromWorker>((resolve) => {
      const take = serveKeyWork({
        ...device,
        send: (message) => {
          if (message.kind !== 'call') return resolve(message)
          device
            .call(message.path, message.body)
            .then((result) => take({ kind: 'answer', id: message.id, result }))
        },
      })
      take({ kind: 'work', id: 1, work: 'getStatus', params: {}, ...given })
    })
  expect(await ask({ userId })).toMatchObject({ kind: 'done', result: { status: 'none' } })
  lie.userId = crypto.randomUUID()
  expect(await ask({ userId })).toMatchObject({ kind: 'failed', error: { code: 'SIGNED_OUT' } })
})
