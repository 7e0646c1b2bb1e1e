import {
  isError,
  manifestMessage,
  moveMessage,
  nextRealm,
  type VaultState,
  type WalletChange,
  type WalletMove,
} from '@latchkey/wire'
import { mnemonicToEntropy } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { keccak256, stringToBytes } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { allow, type Device } from '../../../test/addDevice.ts'
import type { Lie } from '../../../test/migration/respondFalsely.ts'
import { runVault } from '../../../test/migration/runVault.ts'
import {
  addBrowser,
  allowDrop,
  byKit,
  copyStore,
  makeTwoWallets,
  readHolders,
} from '../../../test/migration/twoWallets.ts'
import { failsWith, type VaultServer } from '../../../test/startVault.ts'
import { deriveAccounts } from '../crypto/deriveAccounts.ts'
import { createRecoveryKit } from '../recovery/recoveryKit.ts'
import { createKeyWork } from '../worker/createKeyWork.ts'
import { findMigrationPin } from './migrationPin.ts'

let server: VaultServer
runVault((started) => {
  server = started
})

const confirm = 'show the recovery phrase' as const

/** Two wallets in a browser whose server lies as told in what it says of them. */
async function makeLiar() {
  const lie: { change: Lie | undefined } = { change: undefined }
  const two = await makeTwoWallets(server, {
    tamper: (path, result, body) =>
      path === '/api/wallet' && lie.change
        ? lie.change(result as VaultState, body as { realm?: string })
        : result,
  })
  return { ...two, lie }
}

const readShown = async (device: Device, realm?: string) =>
  (await device.call('/api/wallet', { moves: true, ...(realm && { realm }) })) as VaultState

/** Who has a copy of a wallet's phrase signs what they like with it. */
async function readKey(words: string) {
  const seed = Uint8Array.from(mnemonicToEntropy(words, wordlist))
  const { keys } = await deriveAccounts(seed)
  return privateKeyToAccount(`0x${Buffer.from(keys.eip155).toString('hex')}`)
}
const sign = (key: Awaited<ReturnType<typeof readKey>>, text: string) =>
  key.sign({ hash: keccak256(stringToBytes(moveMessage(text))) })

test('error: a server shows the other wallet as in use, without a move that both wallets signed', async () => {
  const { device, work, old, kit, lie, ids } = await makeLiar()
  const fresh = await readShown(device, ids.realm)
  const { wallet: oldWallet } = await readShown(device)
  const key = await readKey((await work.exportWords({ confirm })).words)
  const to = { walletId: ids.fresh, realm: ids.realm, addresses: fresh.wallet?.addresses }
  const from = { walletId: ids.old, realm: 'main', addresses: oldWallet?.addresses }
  const facts = { v: 1, userId: device.userId, from, to }
  const junk = `0x${'11'.repeat(64)}1b` as const
  const signed = async (facts: object) => {
    const text = JSON.stringify(facts)
    return { text, signature: await sign(key, text), toSignature: await sign(key, text) }
  }
  const thief = { eip155: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', solana: '1'.repeat(40) }
  // An attacker with the old key names the fresh wallet, but with the attacker's address.
  const own = privateKeyToAccount(`0x${'42'.repeat(32)}`)
  const renamed = JSON.stringify({
    ...facts,
    to: { ...to, addresses: { ...thief, eip155: own.address } },
  })
  const misnamed = {
    text: renamed,
    signature: await sign(key, renamed),
    toSignature: await sign(own, renamed),
  }
  const lies: (WalletMove[] | undefined)[] = [
    [misnamed],
    undefined,
    [{ text: JSON.stringify(facts), signature: junk, toSignature: junk }],
    // The old key has signed both sides: the fresh wallet has not.
    [await signed(facts)],
    [await signed({ ...facts, to: { ...to, addresses: thief } })],
    [await signed({ ...facts, userId: crypto.randomUUID() })],
    [await signed({ ...facts, to: { ...from, realm: ids.realm } })],
    [await signed({ ...facts, from: to, to: from })],
    [{ ...(await signed(facts)), text: 'no move' }],
  ]
  for (const moves of lies) {
    lie.change = (state, body) => {
      const shown = body.realm === undefined ? fresh : state
      return { ...shown, ...(moves && { moves }) }
    }
    const late = createKeyWork(device)
    expect(await late.getStatus({})).toMatchObject({ status: 'ready', addresses: old })
    expect((await late.readWallets({})).isMoved).toBe(false)
    await expect(late.chooseWallet({ realm: ids.realm })).rejects.toSatisfy(
      failsWith('WALLET_NOT_ENROLLED'),
    )
  }
  lie.change = undefined
  await work.migrate({ kit })
})

test('error: no browser with the new wallet follows a move that an attacker signed with the old key', async () => {
  const { userId, device, work, old, oldKit, kit, ids, lie } = await makeLiar()
  const second = await addBrowser(server, { userId })
  await second.work.recover(byKit(oldKit))
  const stolen = await readKey((await work.exportWords({ confirm })).words)
  const own = privateKeyToAccount(`0x${'42'.repeat(32)}`)
  const { wallet } = await readShown(device)
  const to = {
    walletId: 'd'.repeat(32),
    realm: nextRealm(ids.realm, Date.now()),
    addresses: { eip155: own.address, solana: 'B'.repeat(43) },
  }
  const from = { walletId: ids.old, realm: 'main', addresses: wallet?.addresses }
  const text = JSON.stringify({ v: 1, userId, from, to })
  const move = { text, signature: await sign(stolen, text), toSignature: await sign(own, text) }
  const thiefs = {
    ...(await readShown(device)),
    realm: to.realm,
    wallet: { ...wallet, id: to.walletId, addresses: to.addresses, slot: undefined },
    moves: [move],
  }
  const lies: Lie = (state, body) =>
    body.realm === undefined || body.realm === to.realm ? thiefs : state
  lie.change = lies
  // The browser that has created a fresh wallet stays with its own.
  expect(await createKeyWork(device).getStatus({})).toMatchObject({
    status: 'ready',
    addresses: old,
  })
  lie.change = undefined
  await work.migrate({ kit })
  lie.change = lies
  expect(await createKeyWork(device).getStatus({})).toMatchObject({ status: 'ready' })
  // The other browser prompts its user, and neither email nor the server brings that wallet.
  const { call } = second.device
  const misled = createKeyWork({
    ...second.device,
    call: async (path, body) => {
      const result = await call(path, body)
      if (path !== '/api/wallet') return result
      return lies(result as VaultState, body as { realm?: string })
    },
  })
  expect(await misled.getStatus({})).toMatchObject({
    status: 'not-enrolled',
    addresses: to.addresses,
    movedFrom: 'main',
  })
  for (const recover of [
    () => misled.startAssisted({}),
    () => misled.startAssisted({ realm: to.realm }),
    () => misled.finishAssisted({ id: 'a'.repeat(32), realm: to.realm }),
    () => misled.recover({ ...byKit(kit), realm: to.realm }),
  ])
    await expect(recover()).rejects.toSatisfy(
      (error) => isError(error, 'RECOVERY_FAILED') || isError(error, 'WALLET_QUARANTINED'),
    )
  expect((await misled.chooseWallet({ realm: 'main' })).addresses).toEqual(old)
  await misled.signEvmMessage({ message: '0x00' })
})

test('error: a server that hides the wallet to which a browser has followed a move gets no new one', async () => {
  const { userId, work, oldKit, kit, ids } = await makeLiar()
  const second = await addBrowser(server, { userId })
  await second.work.recover(byKit(oldKit))
  await work.migrate({ kit })
  expect(await second.work.getStatus({})).toMatchObject({ status: 'not-enrolled' })
  const { call, ...rest } = second.device
  const hiding = createKeyWork({
    ...rest,
    call: async (path, body) => {
      const result = await call(path, body)
      if (path !== '/api/wallet') return result
      const { wallet: _, other: __, ...state } = result as VaultState
      return { ...state, realm: (body as { realm?: string }).realm ?? ids.realm }
    },
  })
  expect(await hiding.getStatus({})).toMatchObject({ status: 'quarantined' })
  await expect(
    hiding.create({ factors: [{ kind: 'kit', kit: createRecoveryKit() }] }),
  ).rejects.toSatisfy(failsWith('WALLET_QUARANTINED'))
})

test('error: a server that shows another wallet in the realm that a move led to', async () => {
  const { userId, work, oldKit, kit, ids } = await makeLiar()
  const thief = await makeTwoWallets(server)
  const second = await addBrowser(server, { userId })
  await second.work.recover(byKit(oldKit))
  await work.migrate({ kit })
  await second.work.getStatus({})
  const { wallet } = await readShown(thief.device)
  const { call, ...rest } = second.device
  const swapping = createKeyWork({
    ...rest,
    call: async (path, body) => {
      const result = await call(path, body)
      return path === '/api/wallet' ? { ...(result as VaultState), wallet } : result
    },
  })
  expect(await swapping.getStatus({})).toMatchObject({ status: 'quarantined' })
  expect(await second.work.getStatus({})).toMatchObject({ status: 'not-enrolled' })
  expect((await findMigrationPin(second.device.store, userId))?.realm).toBe(ids.realm)
})

test('error: a server that lies about the wallet that is not in use', async () => {
  const { work, lie, kit, ids } = await makeLiar()
  for (const wrong of [
    { id: 'a'.repeat(32) },
    { realm: `main-9${'0'.repeat(13)}` },
    { addresses: { eip155: `0x${'ab'.repeat(20)}`, solana: 'B'.repeat(43) } },
    { isHeld: false },
  ]) {
    lie.change = (state) => ({ ...state, other: { ...state.other, ...wrong } })
    expect((await work.readWallets({})).other).toMatchObject({ isHeld: false })
    await expect(work.migrate({ kit })).rejects.toSatisfy(failsWith('WALLET_NOT_ENROLLED'))
    await expect(work.createReplacement({ kit: createRecoveryKit() })).rejects.toSatisfy(
      failsWith('WALLET_EXISTS'),
    )
  }
  // The realm determines which wallet is newer: the server cannot claim that the old wallet is
  // newer.
  lie.change = (state) => ({ ...state, other: { ...state.other, realm: 'main' } })
  expect((await work.readWallets({})).other).toMatchObject({ isNewer: false, isHeld: false })
  lie.change = undefined
  expect((await work.readWallets({})).other).toMatchObject({ walletId: ids.fresh, isNewer: true })
})

test('error: a browser drops only the record of the wallet that the user chose to drop', async () => {
  const { userId, device, work, kit, ids, old } = await makeLiar()
  await work.migrate({ kit })
  const wrong = { walletId: 'a'.repeat(32), realm: 'main' }
  expect(await work.dropOther(wrong)).toEqual({ secondsLeft: 0 })
  expect(await device.store.get(`wallet ${userId}`)).toBeDefined()
  await expect(work.dropOther({ walletId: ids.fresh, realm: ids.realm })).rejects.toSatisfy(
    failsWith('WALLET_CHANGED'),
  )
  expect((await work.chooseWallet({ realm: 'main' })).addresses).toEqual(old)
})

test('error: a damaged pin stops everything but a recovery', async () => {
  const { userId, device, work, kit, lie } = await makeLiar()
  const { addresses: fresh } = await work.migrate({ kit })
  lie.change = undefined
  await device.store.put(`move ${userId}`, { v: 1, realm: 'elsewhere', moves: [] })
  const damaged = createKeyWork(device)
  expect(await damaged.getStatus({})).toMatchObject({ status: 'quarantined' })
  await expect(damaged.signEvmMessage({ message: '0x00' })).rejects.toSatisfy(
    failsWith('WALLET_QUARANTINED'),
  )
  await expect(damaged.recover(byKit(createRecoveryKit()))).rejects.toSatisfy(
    failsWith('RECOVERY_FAILED'),
  )
  expect(await damaged.getStatus({})).toMatchObject({ status: 'quarantined' })
  expect((await damaged.recover(byKit(kit))).addresses).toEqual(fresh)
  expect(await damaged.getStatus({})).toMatchObject({ status: 'ready', addresses: fresh })
})

test('behavior: a browser that was away follows the moves of two further wallets', async () => {
  const { userId, device, work, kit, ids } = await makeLiar()
  const away = await copyStore(device.store, ['browser keys', `wallet ${userId}`])
  await work.migrate({ kit })
  await allowDrop(server, device, ids.old)
  await work.dropOther({ walletId: ids.old, realm: 'main' })
  await server.db.deleteFrom('step_ups').execute()
  await allow(server, device, 'fresh wallet')
  const thirdKit = createRecoveryKit()
  await work.createReplacement({ kit: thirdKit })
  const { addresses: third } = await work.migrate({ kit: thirdKit })
  const late = createKeyWork({ ...device, store: away })
  expect(await late.getStatus({})).toMatchObject({ status: 'not-enrolled', addresses: third })
  expect((await findMigrationPin(away, userId))?.moves).toHaveLength(2)
})

test('error: the server accepts only moves that both wallets signed, from a device that holds both', async () => {
  const { userId, device, work, old, kit, ids } = await makeLiar()
  const kept: { move: WalletMove }[] = []
  const spied = createKeyWork({
    ...device,
    call: async (path, body) => {
      if (path !== '/api/wallet/move') return device.call(path, body)
      kept.push(body as { move: WalletMove })
      throw new Error('kept')
    },
  })
  await expect(spied.migrate({ kit })).rejects.toThrow('kept')
  const [{ move } = { move: undefined }] = kept
  if (!move) throw new Error('there is no move')
  const thief = await addBrowser(server, { userId })
  const send = (changed: object, from = device) =>
    from.call('/api/wallet/move', { move: { ...move, ...changed } })
  await expect(send({}, thief.device)).rejects.toSatisfy(failsWith('WALLET_NOT_ENROLLED'))
  for (const changed of [
    { toSignature: move.signature },
    { signature: move.toSignature },
    { text: '{}' },
  ])
    await expect(send(changed)).rejects.toSatisfy(failsWith('COMMIT_REFUSED'))
  await expect(send({ text: move.text.replace('main-', 'main-1') })).rejects.toSatisfy(
    failsWith('WALLET_CHANGED'),
  )
  expect(await work.getStatus({})).toMatchObject({ addresses: old })
  await send({})
  await send({})
  expect(await readHolders(server, ids.old)).toEqual([device.deviceId])
})

test('error: the server refuses a second wallet with an old address or realm, or operator recovery', async () => {
  const { device, work, ids } = await makeLiar()
  await allowDrop(server, device, ids.fresh)
  await work.dropOther({ walletId: ids.fresh, realm: ids.realm })
  const { wallet } = await readShown(device)
  const key = await readKey((await work.exportWords({ confirm })).words)
  const kept: WalletChange[] = []
  const spied = createKeyWork({
    ...device,
    call: async (path, body) => {
      if (path !== '/api/wallet/prepare') return device.call(path, body)
      kept.push(body as WalletChange)
      throw new Error('kept')
    },
  })
  await expect(spied.createReplacement({ kit: createRecoveryKit() })).rejects.toThrow('kept')
  const [change] = kept
  if (!change || !wallet) throw new Error('there is no creation')
  const { addresses } = wallet
  const renamed = async (changed: object) => {
    const text = JSON.stringify({ ...JSON.parse(change.manifest.text), addresses, ...changed })
    const signature = await key.sign({ hash: keccak256(stringToBytes(manifestMessage(text))) })
    const seal = { ...change.seal, addresses }
    return device.call('/api/wallet/prepare', { ...change, manifest: { text, signature }, seal })
  }
  await expect(renamed({})).rejects.toSatisfy(failsWith('COMMIT_REFUSED'))
  const walletId = 'c'.repeat(32)
  await expect(renamed({ realm: 'main', walletId })).rejects.toSatisfy(failsWith('COMMIT_REFUSED'))
  const factors = [{ id: 'f'.repeat(32), kind: 'operator', recoveryKey: 'A'.repeat(43) }]
  await expect(device.call('/api/wallet/prepare', { ...change, factors })).rejects.toSatisfy(
    failsWith('COMMIT_REFUSED'),
  )
  await device.call('/api/wallet/prepare', change)
})

test('behavior: a state that is read while a move happens shows each wallet once', async () => {
  const { device, work, kit, ids } = await makeLiar()
  const moving = work.migrate({ kit })
  const seen: VaultState[] = []
  let isMigrated = false
  const finish = moving.finally(() => {
    isMigrated = true
  })
  while (!isMigrated)
    seen.push(...(await Promise.all(Array.from({ length: 5 }, () => readShown(device)))))
  await finish
  for (const { wallet, other } of seen)
    expect([wallet?.id, other?.id].sort()).toEqual([ids.old, ids.fresh].sort())
})
