import { isError } from '@latchkey/wire'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDevice, addUser, startVault, type VaultServer } from '../../test/startVault.ts'
import { randomBytes, toBase64Url } from './bytes.ts'
import { commitmentOf, compareWords } from './compareWords.ts'
import { createKeyWork } from './createKeyWork.ts'
import { hpkeSeal, recoveryPair } from './hpke.ts'
import { createKit } from './kit.ts'

const time = { nowMs: Date.parse('2026-11-21T12:00:00Z') }
let server: VaultServer
beforeAll(async () => {
  server = await startVault({ clock: () => time.nowMs })
})
afterAll(() => server?.remove())

async function twoDevices(tamper?: (path: string, result: unknown, body: unknown) => unknown) {
  const userId = await addUser(server)
  const old = await addDevice(server, { userId })
  const work = createKeyWork(old)
  const { addresses } = await work.create({ factors: [{ kind: 'kit', kit: createKit() }] })
  const fresh = await addDevice(server, { userId, ...(tamper && { tamper }) })
  return { userId, old, work, addresses, fresh, joining: createKeyWork(fresh) }
}

test('default: an old device lets a new one in, after the same three words on both', async () => {
  const { work, addresses, joining, fresh, old } = await twoDevices()
  let { asking } = await joining.ask({})
  expect((await joining.poll({ asking })).enrolment).toEqual({ status: 'waiting' })
  const { meeting } = await work.meet({ askId: asking.askId })
  expect(await work.words({ meeting })).toEqual({})
  const met = await joining.poll({ asking })
  asking = met.asking
  const { words } = await work.words({ meeting })
  expect(words).toMatch(/^\w+ \w+ \w+$/)
  expect(met.enrolment).toEqual({ status: 'met', words })
  await work.approve({ meeting })
  expect((await joining.poll({ asking })).enrolment).toEqual({ status: 'enrolled', addresses })
  expect((await joining.poll({ asking })).enrolment).toEqual({ status: 'enrolled', addresses })
  await joining.signEvmMessage({ message: '0x00' })
  await work.signEvmMessage({ message: '0x00' })
  const { json } = await old.ask('/api/devices/list', {})
  const ids = (json.devices as { id: string; current: boolean }[]).map(({ id, current }) => ({
    id,
    current,
  }))
  expect(ids).toEqual([
    { id: old.deviceId, current: true },
    { id: fresh.deviceId, current: false },
  ])
})

test('row 34: each device has a split of its own: one revoked leaves the other', async () => {
  const { work, joining, fresh, old } = await twoDevices()
  const { asking } = await joining.ask({})
  const { meeting } = await work.meet({ askId: asking.askId })
  const met = await joining.poll({ asking })
  await work.words({ meeting })
  await work.approve({ meeting })
  await joining.poll({ asking: met.asking })
  expect((await fresh.ask('/api/devices/revoke', { id: old.deviceId })).status).toBe(200)
  await joining.signEvmMessage({ message: '0x00' })
  await expect(work.signEvmMessage({ message: '0x00' })).rejects.toSatisfy((error) =>
    isError(error, 'SIGNED_OUT'),
  )
})

test('behavior: turned away is turned away', async () => {
  const { work, joining } = await twoDevices()
  const { asking } = await joining.ask({})
  await work.refuse({ askId: asking.askId })
  expect((await joining.poll({ asking })).enrolment).toEqual({ status: 'refused' })
  await expect(work.meet({ askId: asking.askId })).rejects.toThrow('There is nothing here')
})

test('row 43: a server that puts its own key in the middle shows other words', async () => {
  const { joining, old } = await twoDevices()
  const { asking } = await joining.ask({})
  const evil = await recoveryPair(randomBytes(32))
  const evilNonce = toBase64Url(randomBytes(16))
  // The server shows the old device a key and a commitment of its own, and later its own nonce.
  const lied = {
    ...old,
    call: async (path: string, body: unknown) => {
      const result = await old.call(path, body)
      if (path !== '/api/enroll/asks') return result
      const { asks } = result as { asks: { nonce?: string }[] }
      const commitment = commitmentOf(evilNonce, evil.publicKey)
      return {
        asks: asks.map((ask) => ({
          ...ask,
          deviceKey: evil.publicKey,
          commitment,
          ...(ask.nonce !== undefined && { nonce: evilNonce }),
        })),
      }
    },
  }
  const deceived = createKeyWork(lied)
  const { meeting } = await deceived.meet({ askId: asking.askId })
  const met = await joining.poll({ asking })
  const { words } = await deceived.words({ meeting })
  expect(words).toBeDefined()
  expect(met.enrolment).not.toEqual({ status: 'met', words })
  // The same with an honest old device that is shown another nonce than was committed to.
  const other = {
    ...lied,
    call: async (path: string, body: unknown) => {
      const result = await old.call(path, body)
      if (path !== '/api/enroll/asks') return result
      const { asks } = result as { asks: { nonce?: string }[] }
      return {
        asks: asks.map((ask) => ({ ...ask, ...(ask.nonce !== undefined && { nonce: evilNonce }) })),
      }
    },
  }
  await expect(createKeyWork(other).words({ meeting })).rejects.toSatisfy((error) =>
    isError(error, 'WALLET_QUARANTINED'),
  )
})

test('row 43: what is sealed to another key, or for another wallet, is not taken in', async () => {
  const evil = await recoveryPair(randomBytes(32))
  const { work, joining, fresh } = await twoDevices((path, result) => {
    if (path !== '/api/enroll/poll') return result
    const answer = result as { status: string; sealedDeviceShare?: unknown }
    return answer.status === 'approved' ? { ...answer, sealedDeviceShare: forged } : result
  })
  const forged = await hpkeSeal(evil.publicKey, randomBytes(33), ['device share'])
  const { asking } = await joining.ask({})
  const { meeting } = await work.meet({ askId: asking.askId })
  const met = await joining.poll({ asking })
  await work.approve({ meeting })
  await expect(joining.poll({ asking: met.asking })).rejects.toSatisfy((error) =>
    isError(error, 'WALLET_QUARANTINED'),
  )
  expect(await createKeyWork(fresh).stand({})).toMatchObject({ status: 'not-enrolled' })
})

test('behavior: words differ with every part they are made of', () => {
  const base = {
    deviceKey: 'key',
    newNonce: 'new',
    oldNonce: 'old',
    addresses: { eip155: '0x1', solana: 's' },
  }
  const words = [
    base,
    { ...base, deviceKey: 'other' },
    { ...base, newNonce: 'other' },
    { ...base, oldNonce: 'other' },
    { ...base, addresses: { eip155: '0x2', solana: 's' } },
    { ...base, addresses: { eip155: '0x1', solana: 't' } },
  ].map(compareWords)
  expect(new Set(words).size).toBe(words.length)
})
