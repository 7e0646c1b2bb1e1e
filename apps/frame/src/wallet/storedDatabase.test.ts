import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeDatabase } from '@latchkey/dev'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDevice, openStoredDevice } from '../../test/addDevice.ts'
import { openSessionKey, openStoredBrowser } from '../../test/openStoredKeys.ts'
import { makeDir, startVault, type VaultServer } from '../../test/startVault.ts'
import stored from '../../test/storedBrowser.json'
import { createKeyWork } from './worker/createKeyWork.ts'

/*
 * storedDatabase.sql holds a database that the server of an earlier version left,
 * storedBrowser.json its keyring and the browser of its only user. The server must migrate it, and
 * the wallet open, forever. Never rewrite them to make these tests pass.
 */

let server: VaultServer
let keyring: string
beforeAll(async () => {
  keyring = join(await makeDir(), 'keyring')
  await mkdir(keyring, { mode: 0o700 })
  for (const [name, text] of Object.entries(stored.keyring))
    await writeFile(join(keyring, name), text, { mode: 0o600 })
  const sql = await readFile(new URL('../../test/storedDatabase.sql', import.meta.url), 'utf8')
  server = await startVault({
    clock: () => stored.nowMs + 60_000,
    env: { DATABASE_URL: await makeDatabase(sql), KEYRING_DIR: keyring },
  })
})
afterAll(async () => {
  await server?.remove()
  await rm(join(keyring, '..'), { recursive: true, force: true })
})

test('behavior: a browser of an earlier version signs with its stored session', async () => {
  const { userId, deviceId, sessionId, token, addresses, signature, words } = stored
  const keys = await openSessionKey(stored.signer)
  const store = await openStoredBrowser(stored.store)
  const device = { userId, deviceId, sessionId, token, keys, store }
  const opened = await openStoredDevice(server, device)
  const work = createKeyWork(opened)
  expect(await work.getStatus({})).toMatchObject({ status: 'ready', addresses })
  expect(await work.signEvmMessage({ message: '0x6869' })).toEqual({ signature })
  expect(await work.exportWords({ confirm: 'show the recovery phrase' })).toEqual({ words })
  // The server never received the key of its passkey, so codes still confirm.
  const asked = { purpose: 'step-up', action: 'delete', projectId: 'local', origin: server.appUrl }
  expect(await opened.ask('/api/passkeys/start', asked)).toMatchObject({
    status: 200,
    json: { credentialIds: [], isCodeEnough: true },
  })
})

test.each([
  ['kit', { kind: 'kit', kit: stored.kit }],
  ['passkey', { kind: 'passkey', ...stored.passkey }],
] as const)('behavior: the %s of then recovers the wallet in a new browser', async (_, secret) => {
  const { userId, addresses, signature } = stored
  const work = createKeyWork(await addDevice(server, { userId }))
  expect(await work.getStatus({})).toMatchObject({ status: 'not-enrolled', addresses })
  expect(await work.recover({ secret })).toEqual({ addresses })
  expect(await work.signEvmMessage({ message: '0x6869' })).toEqual({ signature })
})
