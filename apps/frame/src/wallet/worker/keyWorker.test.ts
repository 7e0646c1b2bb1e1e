import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { bytesToHex } from '@latchkey/wire'
import { mnemonicToEntropy } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { recoverMessageAddress } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { build } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDevice } from '../../../test/addDevice.ts'
import { startKeyPage } from '../../../test/startKeyPage.ts'
import { addUser, startVault, type VaultServer } from '../../../test/startVault.ts'
import { toBase64Url } from '../crypto/bytes.ts'
import { createRecoveryKit } from '../recovery/recoveryKit.ts'

let server: VaultServer
let pages: Awaited<ReturnType<typeof startKeyPage>>
beforeAll(async () => {
  ;[server, pages] = await Promise.all([startVault(), startKeyPage()])
})
afterAll(async () => {
  await pages?.stop()
  await server?.remove()
})

type Addresses = { addresses: { eip155: `0x${string}`; solana: string } }

test('default: in Chromium a wallet is made, survives a reload, and signs', async () => {
  const device = await addDevice(server, { userId: await addUser(server) })
  const context = await pages.browser.newContext()
  const { page, work } = await pages.open(context, device)
  expect(await work('getStatus')).toEqual({ status: 'none', durable: true, elsewhere: false })
  const kit = createRecoveryKit()
  const { addresses } = await work<Addresses>('create', { factors: [{ kind: 'kit', kit }] })
  await page.reload()
  await page.waitForFunction(() => 'work' in window)
  const accountType = 'smartAccount'
  expect(await work('getStatus')).toEqual({
    status: 'ready',
    durable: true,
    addresses,
    accountType,
  })
  const { signature } = await work<{ signature: `0x${string}` }>('signEvmMessage', {
    message: '0x6869',
  })
  expect(await recoverMessageAddress({ message: 'hi', signature })).toBe(addresses.eip155)
  const second = await pages.open(context, device)
  expect(
    await second.work('create', { factors: [{ kind: 'kit', kit: createRecoveryKit() }] }),
  ).toEqual({
    addresses,
    // The kit is new.
    isIncomplete: true,
  })
  await context.close()
})

test('canaries: no secret in the worker’s messages, its store, the database or the requests', async () => {
  const sent: unknown[] = []
  const device = await addDevice(server, { userId: await addUser(server) })
  const call: typeof device.call = (path, body) => {
    sent.push(body)
    return device.call(path, body)
  }
  const context = await pages.browser.newContext()
  const { page, work } = await pages.open(context, { call })
  const kit = createRecoveryKit()
  await work('create', { factors: [{ kind: 'kit', kit }] })
  await work('signEvmMessage', { message: '0x00' })
  await work('signSolanaMessage', { message: 'AAAA' })
  const said = JSON.stringify(await page.evaluate(() => window.said))
  const kept = await page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((resolve) => {
      const request = indexedDB.open('latchkey-wallet')
      request.onsuccess = () => resolve(request.result)
    })
    const store = database.transaction('values').objectStore('values')
    const all = await new Promise<unknown[]>((resolve) => {
      const request = store.getAll()
      request.onsuccess = () => resolve(request.result)
    })
    const keys = all
      .flatMap((value) => Object.values(value as object))
      .filter((value) => value instanceof CryptoKey)
    return { text: JSON.stringify(all), extractable: keys.map((key) => key.extractable) }
  })
  const { words } = await work<{ words: string }>('exportWords', {
    confirm: 'show the recovery phrase',
  })
  const seed = mnemonicToEntropy(words, wordlist)
  const account = mnemonicToAccount(words)
  const key = account.getHdKey().privateKey ?? new Uint8Array()
  const tables = [
    'wallets',
    'wallet_slots',
    'wallet_changes',
    'recovery_factors',
    'audit',
    'vault_users',
  ] as const
  const rows = await Promise.all(
    tables.map((table) => server.db.selectFrom(table).selectAll().execute()),
  )
  const database = JSON.stringify(rows, (_, value) =>
    typeof value === 'bigint' ? String(value) : value,
  )
  const canaries = [seed, key].flatMap((secret) => {
    const bytes = Uint8Array.from(secret)
    return [
      bytesToHex(bytes),
      toBase64Url(bytes),
      Buffer.from(bytes).toString('base64'),
      bytes.join(','),
    ]
  })
  for (const text of [said, kept.text, database, JSON.stringify(sent)])
    for (const canary of [...canaries, kit, kit.replaceAll('-', ''), words])
      expect(text.includes(canary)).toBe(false)
  expect(kept.extractable).toEqual(kept.extractable.map(() => false))
  expect(said.length).toBeGreaterThan(1000)
  await context.close()
})

test('lost storage: without storage there is memory, and never a second wallet', async () => {
  const device = await addDevice(server, { userId: await addUser(server) })
  const context = await pages.browser.newContext()
  await context.route('**/keyWorker.js', async (route) => {
    const response = await route.fetch()
    const body = `Object.defineProperty(globalThis,'indexedDB',{get(){throw new DOMException('blocked','SecurityError')}});\n${await response.text()}`
    await route.fulfill({ response, body })
  })
  const { page, work } = await pages.open(context, device)
  const kit = createRecoveryKit()
  expect(await work('getStatus')).toEqual({ status: 'none', durable: false, elsewhere: false })
  const { addresses } = await work<Addresses>('create', { factors: [{ kind: 'kit', kit }] })
  await work('signEvmMessage', { message: '0x00' })
  await page.reload()
  await page.waitForFunction(() => 'work' in window)
  expect(await work('getStatus')).toEqual({ status: 'not-enrolled', durable: false, addresses })
  expect(await work('create', { factors: [{ kind: 'kit', kit }] })).toEqual({
    error: 'WALLET_NOT_ENROLLED',
  })
  expect(await work('recover', { secret: { kind: 'kit', kit } })).toEqual({ addresses })
  await context.close()
})

test('error: what the schema does not name is not done, and forgetting leaves nothing', async () => {
  const device = await addDevice(server, { userId: await addUser(server) })
  const context = await pages.browser.newContext()
  const { page, work } = await pages.open(context, device)
  const { addresses } = await work<Addresses>('create', {
    factors: [{ kind: 'kit', kit: createRecoveryKit() }],
  })
  expect(await work('exportWords', {})).toEqual({ error: 'INVALID_PARAMS' })
  expect(await work('exportWords', { confirm: true })).toEqual({ error: 'INVALID_PARAMS' })
  expect(await work('signEvmTransaction', { transaction: { type: 4 } })).toEqual({
    error: 'INVALID_PARAMS',
  })
  // A call of the account to itself executes calls that no approval shows.
  const fees = { gas: '30000', maxFeePerGas: '1', maxPriorityFeePerGas: '1', accessList: [] }
  const toItself = { type: 2, chainId: 1, nonce: '0', value: '0', to: addresses.eip155, ...fees }
  const sign = (data: string) => work('signEvmTransaction', { transaction: { ...toItself, data } })
  expect(await sign('0x34fcd5be')).toEqual({ error: 'SIGNING_REFUSED' })
  expect(await sign('0x')).toHaveProperty('raw')
  await work('forget')
  const left = await page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((resolve) => {
      const request = indexedDB.open('latchkey-wallet')
      request.onsuccess = () => resolve(request.result)
    })
    return new Promise<number>((resolve) => {
      const request = database.transaction('values').objectStore('values').count()
      request.onsuccess = () => resolve(request.result)
    })
  })
  expect(left).toBe(0)
  await context.close()
})

test('offline: the offline page opens a bundle from a disk with no network', async () => {
  const device = await addDevice(server, { userId: await addUser(server) })
  const context = await pages.browser.newContext()
  const { work } = await pages.open(context, device)
  const kit = createRecoveryKit()
  const { addresses } = await work<Addresses>('create', { factors: [{ kind: 'kit', kit }] })
  const { words } = await work<{ words: string }>('exportWords', {
    confirm: 'show the recovery phrase',
  })
  const { bundle } = await work<{ bundle: object }>('bundle')
  const dir = await mkdtemp(join(tmpdir(), 'latchkey-recover-'))
  await build({
    root: join(import.meta.dirname, '../../..'),
    logLevel: 'silent',
    build: { outDir: dir, emptyOutDir: false },
  })
  const file = join(dir, 'bundle.json')
  await writeFile(file, JSON.stringify(bundle))
  const offline = await pages.browser.newContext({ offline: true })
  const requests: string[] = []
  const page = await offline.newPage()
  page.on('request', (request) => requests.push(request.url()))
  const address = pathToFileURL(join(dir, 'recover.html')).href
  await page.goto(address)
  await page.getByLabel('Recovery file').setInputFiles(file)
  await page.getByLabel('Code of the printed kit').fill(createRecoveryKit())
  await page.getByRole('button', { name: 'Show the phrase' }).click()
  await expect
    .poll(() => page.getByRole('alert').textContent())
    .toContain('the kit is of another wallet')
  await page.getByLabel('Code of the printed kit').fill(kit.toLowerCase())
  await page.getByRole('button', { name: 'Show the phrase' }).click()
  await expect.poll(() => page.locator('#words li').count()).toBe(24)
  expect((await page.locator('#words li').allTextContents()).join(' ')).toBe(words)
  expect(await page.locator('#eip155').textContent()).toBe(addresses.eip155)
  await page.getByRole('button', { name: 'Hide it' }).click()
  expect(await page.locator('body').textContent()).not.toContain(
    words.split(' ').slice(0, 2).join(' '),
  )
  expect(await page.locator('#words li').count()).toBe(0)
  expect(requests).toEqual([address])
  const whole = await readFile(join(dir, 'recover.html'))
  expect(gzipSync(whole).length).toBeLessThan(70_000)
  await Promise.all([context.close(), offline.close(), rm(dir, { recursive: true, force: true })])
})
