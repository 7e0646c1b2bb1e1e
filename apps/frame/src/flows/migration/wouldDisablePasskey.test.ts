import { afterAll, beforeAll, expect, test } from 'vitest'
import { allow } from '../../../test/addDevice.ts'
import { makeTwoWallets } from '../../../test/migration/twoWallets.ts'
import { startVault, type VaultServer } from '../../../test/startVault.ts'
import { randomBytes, toBase64Url } from '../../wallet/crypto/bytes.ts'
import { wouldDisablePasskey } from './wouldDisablePasskey.ts'

let server: VaultServer
beforeAll(async () => {
  server = await startVault()
})
afterAll(() => server?.remove())

test('default: dropping the only wallet that a passkey recovers ends its confirmations', async () => {
  const { userId, device, work, kit, ids } = await makeTwoWallets(server)
  const loses = () => wouldDisablePasskey(device.call, { dropped: 'main', kept: ids.realm })
  const credentialId = toBase64Url(randomBytes(16))
  const prf = toBase64Url(randomBytes(32))
  const factor = { kind: 'passkey' as const, prf, credentialId }
  await work.addFactor({ factor })
  // It recovers, but was not registered to confirm.
  expect(await loses()).toBe(false)
  const passkey = { credential_id: credentialId, user_id: userId, counter: 0 }
  const keys = { user_handle: randomBytes(32), public_key: randomBytes(32) }
  await server.db
    .insertInto('passkeys')
    .values({ ...passkey, ...keys, created_at: new Date() })
    .execute()
  await work.migrate({ kit })
  expect(await loses()).toBe(true)
  await allow(server, device, 'add passkey')
  await server.db.updateTable('step_ups').set({ by_passkey: true }).execute()
  await work.addFactor({ factor })
  expect(await loses()).toBe(false)
})
