import { spawn } from 'node:child_process'
import { randomBytes as nodeBytes, randomUUID } from 'node:crypto'
import { chmod, cp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { bytesToHex, isError } from '@latchkey/wire'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDevice, allow, type Device } from '../../test/addDevice.ts'
import { addUser, startVault, type VaultServer } from '../../test/startVault.ts'
import { fromBase64Url, toBase64Url, toBytes } from './crypto/bytes.ts'
import { deriveRecoveryKeyPair, hpkeOpen } from './crypto/hpke.ts'
import { combineShares } from './crypto/splitKey.ts'
import { createRecoveryKit } from './recovery/recoveryKit.ts'
import { openSeed } from './sealSeed.ts'
import { createKeyWork } from './worker/createKeyWork.ts'

const time = { nowMs: Date.parse('2026-11-21T12:00:00Z') }
const lines: string[] = []
const log = pino(
  { level: 'trace' },
  new Writable({
    write: (chunk, _, done) => {
      lines.push(String(chunk))
      done()
    },
  }),
)
let server: VaultServer
beforeAll(async () => {
  server = await startVault({ clock: () => time.nowMs, log })
})
afterAll(() => server?.remove())

const factors = () => ({ factors: [{ kind: 'kit' as const, kit: createRecoveryKit() }] })
const cli = fileURLToPath(new URL('../dist/cli.js', import.meta.resolve('@latchkey/server')))

/** Runs the operator's command on the data of a server. */
async function operate({ dir, databaseUrl }: VaultServer, ...args: string[]) {
  const env = { ...process.env, DATA_DIR: dir, DATABASE_URL: databaseUrl }
  const child = spawn(process.execPath, [cli, ...args], { env })
  let text = ''
  child.stdout.on('data', (chunk) => {
    text += chunk
  })
  child.stderr.on('data', (chunk) => {
    text += chunk
  })
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, text }
}

async function makeWallet(
  setup: Parameters<ReturnType<typeof createKeyWork>['create']>[0] = factors(),
) {
  time.nowMs += 61_000
  const userId = await addUser(server)
  const device = await addDevice(server, { userId })
  const work = createKeyWork(device)
  const { addresses } = await work.create(setup)
  return { userId, device, work, addresses }
}

describe('hostile operator: what an operator can do with everything that the server stores', () => {
  /** Everything at rest: the whole database, and the keyring used as the server uses it. */
  async function tryToDerive(userId: string): Promise<string | undefined> {
    const { db, dir } = server
    const keyring = join(dir, 'keyring')
    const keys = await Promise.all(
      (['auth-share', 'recovery'] as const).map(async (purpose) => {
        const { versions } = JSON.parse(await readFile(join(keyring, `${purpose}.json`), 'utf8'))
        return [purpose, versions.map((text: string) => Buffer.from(text, 'base64'))] as const
      }),
    )
    const kms = Object.fromEntries(keys) as Record<string, Buffer[]>
    const gcm = async (key: Uint8Array, sealed: Uint8Array, aad: string) => {
      const raw = await crypto.subtle.importKey('raw', toBytes(key), 'AES-GCM', false, ['decrypt'])
      const [iv, ct] = [toBytes(sealed.subarray(0, 12)), toBytes(sealed.subarray(12))]
      const additionalData = new TextEncoder().encode(aad)
      return toBytes(await crypto.subtle.decrypt({ name: 'AES-GCM', iv, additionalData }, raw, ct))
    }
    const unwrap = (wrapped: Uint8Array, purpose: string, context: Record<string, string>) => {
      const version = Buffer.from(wrapped).readUInt32BE(0)
      const pairs = Object.entries({ purpose, ...context }).sort(([a], [b]) => (a < b ? -1 : 1))
      const key = kms[purpose]?.[version - 1] ?? Buffer.alloc(32)
      return gcm(key, wrapped.subarray(4), JSON.stringify([...pairs, ['version', version]]))
    }
    const realm = 'main'
    const wallet = await db
      .selectFrom('wallets')
      .selectAll()
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow()
    const user = await db
      .selectFrom('vault_users')
      .selectAll()
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow()
    const slots = await db
      .selectFrom('wallet_slots')
      .selectAll()
      .where('wallet_id', '=', wallet.id)
      .execute()
    const held = await db
      .selectFrom('recovery_factors')
      .selectAll()
      .where('wallet_id', '=', wallet.id)
      .execute()
    const dek = await unwrap(user.key_wrapped, 'auth-share', { userId, realm })
    const shares = await Promise.all(
      slots.map((row) =>
        gcm(
          dek,
          row.share_sealed,
          JSON.stringify([userId, 'share', wallet.id, row.slot, row.change_id, row.epoch]),
        ),
      ),
    )
    expect(shares.map((share) => share.length)).toEqual([33, 33])
    const facts = {
      walletId: wallet.id,
      userId,
      realm,
      epoch: wallet.epoch,
      addresses: { eip155: wallet.eip155, solana: wallet.solana },
    }
    const tryKey = async (kek: Uint8Array<ArrayBuffer>) =>
      openSeed(kek, wallet.sealed_seed, facts).then(
        ({ seed }) => bytesToHex(seed),
        () => undefined,
      )
    const recoveryShares: Uint8Array<ArrayBuffer>[] = []
    for (const { operator_sealed, operator_key_wrapped } of held) {
      if (!operator_sealed || !operator_key_wrapped) continue
      const key = await unwrap(operator_key_wrapped, 'recovery', {
        userId,
        walletId: wallet.id,
        realm,
      })
      const inner = await gcm(
        dek,
        operator_sealed,
        JSON.stringify([userId, 'operator factor', wallet.id]),
      )
      const recoveryKey = await gcm(key, inner, JSON.stringify(['operator factor', wallet.id]))
      const { pair } = await deriveRecoveryKeyPair(recoveryKey)
      for (const row of slots) {
        const info = ['recovery share', wallet.id, row.slot, row.epoch]
        recoveryShares.push(await hpkeOpen(pair, row.sealed_recovery, info))
      }
    }
    const all = [...shares, ...recoveryShares]
    for (const [at, one] of all.entries())
      for (const other of all.slice(at + 1)) {
        const kek = await combineShares(one, other).catch(() => undefined)
        const seed = kek && (await tryKey(kek))
        if (seed) return seed
      }
    return undefined
  }

  test('hostile operator: self-held: the whole database and every key of the KMS do not give the seed', async () => {
    const { userId } = await makeWallet()
    expect(await tryToDerive(userId)).toBeUndefined()
    // What is missing is one share of one split: the device has it, and the recovery key that only
    // the kit opens.
    const held = await server.db
      .selectFrom('recovery_factors')
      .innerJoin('wallets', 'wallets.id', 'recovery_factors.wallet_id')
      .select(['kind', 'operator_sealed'])
      .where('user_id', '=', userId)
      .execute()
    expect(held).toEqual([{ kind: 'kit', operator_sealed: null }])
  })

  test('hostile operator: assisted: they do: the operator of the server could sign', async () => {
    const { userId, work } = await makeWallet({ factors: [{ kind: 'operator' }] })
    const seed = await tryToDerive(userId)
    expect(seed).toMatch(/^[0-9a-f]{64}$/)
    const { entropyToMnemonic } = await import('@scure/bip39')
    const { wordlist } = await import('@scure/bip39/wordlists/english.js')
    const { words } = await work.exportWords({ confirm: 'show the recovery phrase' })
    expect(entropyToMnemonic(toBytes(Buffer.from(seed ?? '', 'hex')), wordlist)).toBe(words)
  })
})

describe('missing keys: keys that are away', () => {
  test('missing keys: while the keyring is away nothing is released and nothing is half written', async () => {
    const { device, work, addresses } = await makeWallet()
    const keyring = join(server.dir, 'keyring')
    const other = await addDevice(server, { userId: await addUser(server) })
    // Readable by all: the copy in memory is not enough to continue.
    await chmod(join(keyring, 'auth-share.json'), 0o644)
    const before = await server.db.selectFrom('wallet_changes').select('id').execute()
    await expect(work.signEvmMessage({ message: '0x00' })).rejects.toSatisfy((error) =>
      isError(error, 'VAULT_UNAVAILABLE'),
    )
    expect((await device.ask('/api/share', {})).status).toBe(503)
    await rename(keyring, `${keyring}-away`)
    await expect(createKeyWork(other).create(factors())).rejects.toSatisfy((error) =>
      isError(error, 'VAULT_UNAVAILABLE'),
    )
    expect(await server.db.selectFrom('wallet_changes').select('id').execute()).toEqual(before)
    await rename(`${keyring}-away`, keyring)
    await chmod(join(keyring, 'auth-share.json'), 0o400)
    await work.signEvmMessage({ message: '0x00' })
    expect(await work.getStatus({})).toMatchObject({ status: 'ready', addresses })
    await createKeyWork(other).create(factors())
  })

  test('missing keys: a server refuses another keyring, no keyring, or a keyring that others can read', async () => {
    const first = await startVault()
    await first.stop()
    const keyring = join(first.dir, 'keyring')
    const env = { DATA_DIR: first.dir, DATABASE_URL: first.databaseUrl }
    const start = () => startVault({ env }).then((started) => started.remove())
    await chmod(join(keyring, 'lookup.json'), 0o644)
    await expect(start()).rejects.toThrow(
      'lookup.json is readable by other users: run chmod 600 on it',
    )
    await rename(keyring, `${keyring}-away`)
    await expect(start()).rejects.toThrow('it is missing. Restore it from its backup')
    await cp(join(server.dir, 'keyring'), keyring, { recursive: true })
    await expect(start()).rejects.toThrow('is not the key with which this database was written')
    await rm(keyring, { recursive: true })
    await rename(`${keyring}-away`, keyring)
    await chmod(join(keyring, 'lookup.json'), 0o400)
    await start()
    await rm(first.dir, { recursive: true, force: true })
  })

  test('killed while changing: keys are rotated while wallets are used, and again after half of it', async () => {
    const wallets = [
      await makeWallet(),
      await makeWallet({ factors: [{ kind: 'operator' }] }),
      await makeWallet(),
    ]
    expect(await operate(server, 'kms', 'rotate')).toMatchObject({ code: 0 })
    for (const { work } of wallets) await work.signEvmMessage({ message: '0x00' })
    // Half of a rotation: a new version exists, and only active users were rewrapped.
    const path = join(server.dir, 'keyring/auth-share.json')
    const file = JSON.parse(await readFile(path, 'utf8'))
    file.versions.push(nodeBytes(32).toString('base64'))
    await chmod(path, 0o600)
    await writeFile(path, JSON.stringify(file))
    await wallets[0]?.work.signEvmMessage({ message: '0x00' })
    const { text } = await operate(server, 'kms', 'rotate', '--verify')
    expect(text).toMatch(/\n\d+ keys open, [1-9]\d* of them were rewrapped\n$/)
    const versions = await server.db.selectFrom('vault_users').select('key_id').distinct().execute()
    expect(versions).toEqual([{ key_id: 'auth-share/3' }])
    for (const { work } of wallets) await work.signEvmMessage({ message: '0x00' })
  })
})

test('deleted wallets: a deleted user stays deleted when yesterday comes back', async () => {
  const { userId, device, work } = await makeWallet({ factors: [{ kind: 'operator' }] })
  const { db } = server
  const tables = [
    'users',
    'devices',
    'sessions',
    'session_tokens',
    'vault_users',
    'wallets',
    'wallet_slots',
    'recovery_factors',
  ] as const
  const backup = new Map<string, Record<string, unknown>[]>()
  for (const table of tables) backup.set(table, await db.selectFrom(table).selectAll().execute())
  await device.ask('/api/share', {})
  await db.deleteFrom('step_ups').where('session_id', '=', device.sessionId).execute()
  expect((await device.ask('/api/delete', { confirm: 'delete my wallet' })).json.code).toBe(
    'STEP_UP_NEEDED',
  )
  await allow(server, device, 'delete')
  expect((await device.ask('/api/delete', { confirm: 'yes' })).status).toBe(400)
  expect((await device.ask('/api/delete', { confirm: 'delete my wallet' })).status).toBe(200)
  for (const table of ['users', 'wallets', 'vault_users'] as const) {
    const column = table === 'users' ? 'id' : 'user_id'
    expect(
      await db
        .selectFrom(table)
        .select(column as 'user_id')
        .where(column as 'user_id', '=', userId)
        .execute(),
    ).toEqual([])
  }
  expect((await device.ask('/api/share', {})).status).toBe(401)
  const json = (value: unknown) =>
    value && typeof value === 'object' && !(value instanceof Date) && !(value instanceof Uint8Array)
      ? JSON.stringify(value)
      : value
  for (const table of tables)
    for (const row of backup.get(table) ?? []) {
      const values = Object.fromEntries(
        Object.entries(row).map(([name, value]) => [name, json(value)]),
      )
      await db
        .insertInto(table)
        .values(values as never)
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    }
  time.nowMs += 61_000
  await expect(work.signEvmMessage({ message: '0x00' })).rejects.toSatisfy((error) =>
    isError(error, 'VAULT_UNAVAILABLE'),
  )
  expect(
    (await device.ask('/api/recovery/shares', { deviceKey: toBase64Url(nodeBytes(65)) })).status,
  ).toBe(503)
})

test('foreign ids: ids of another user count as unknown; a signed-out user gets 401', async () => {
  const one = await makeWallet()
  const two = await makeWallet()
  const joining = await addDevice(server, { userId: one.userId })
  const { askId } = await createKeyWork(joining).ask({})
  const { wallet } = (await one.device.call('/api/wallet', {})) as {
    wallet: { factors: { id: string }[]; slot: { changeId: string } }
  }
  const ids = {
    factor: wallet.factors[0]?.id ?? '',
    change: wallet.slot.changeId,
    ask: askId,
    device: one.device.deviceId,
  }
  const unknown = {
    factor: 'a'.repeat(32),
    change: 'b'.repeat(32),
    ask: 'c'.repeat(32),
    device: randomUUID(),
  }
  const nonce = toBase64Url(nodeBytes(16))
  const algorithm = { name: 'ECDH', namedCurve: 'P-256' }
  const pair = await crypto.subtle.generateKey(algorithm, true, ['deriveBits'])
  const deviceKey = toBase64Url(toBytes(await crypto.subtle.exportKey('raw', pair.publicKey)))
  const calls = (of: typeof ids): [string, unknown][] => [
    ['/api/devices/rename', { id: of.device, name: 'mine' }],
    ['/api/devices/revoke', { id: of.device }],
    ['/api/recovery/factors/remove', { id: of.factor }],
    ['/api/wallet/commit', { changeId: of.change, signature: `0x${'11'.repeat(65)}` }],
    ['/api/share', { changeId: of.change }],
    ['/api/enroll/meet', { askId: of.ask, nonce, deviceKey }],
    ['/api/enroll/reveal', { askId: of.ask, nonce }],
    ['/api/enroll/answer', { askId: of.ask }],
    ['/api/enroll/poll', { askId: of.ask }],
    ['/api/recovery/operator/release', { id: of.ask, deviceKey: anyKey }],
  ]
  for (const id of [ids.factor, unknown.factor]) await allow(server, two.device, `remove ${id}`)
  const foreign = calls(ids)
  for (const [at, [path, body]] of calls(unknown).entries()) {
    const none = await two.device.ask(path, body)
    const theirs = await two.device.ask(path, foreign[at]?.[1])
    expect([path, theirs]).toEqual([path, none])
    expect([path, none.status]).toEqual([path, 404])
  }
  const { json } = await two.device.ask('/api/audit', {})
  expect(JSON.stringify(json)).not.toContain(one.userId)
  expect(await one.work.getStatus({})).toMatchObject({ status: 'ready' })
  await one.device.ask('/api/session/end', { everywhere: true })
  for (const path of [
    '/api/wallet',
    '/api/share',
    '/api/devices/list',
    '/api/audit',
    '/api/enroll/asks',
  ])
    expect((await one.device.ask(path, {})).status).toBe(401)
  time.nowMs += 7 * 24 * 3_600_000 + 1000
  expect((await two.device.ask('/api/share', {})).status).toBe(401)
})
const anyKey = 'A'.repeat(87)

test('audit log: the log of the vault shows every change of it', { timeout: 120_000 }, async () => {
  const { work, device, userId } = await makeWallet()
  await work.signEvmMessage({ message: '0x00' })
  const { json } = await device.ask('/api/audit', {})
  const entries = json.entries as { action: string; sequence: number }[]
  expect(entries.map(({ action }) => action)).toEqual([
    'share released',
    'wallet created',
    'share released',
    'wallet creation prepared',
  ])
  expect(await operate(server, 'audit', 'verify')).toMatchObject({ code: 0 })
  const { db } = server
  const last = await db
    .selectFrom('audit')
    .selectAll()
    .where('subject', '=', userId)
    .orderBy('sequence', 'desc')
    .executeTakeFirstOrThrow()
  const bad = async () => expect((await operate(server, 'audit', 'verify')).code).toBe(1)
  await db
    .updateTable('audit')
    .set({ action: 'nothing' })
    .where('sequence', '=', last.sequence)
    .execute()
  await bad()
  await db.deleteFrom('audit').where('sequence', '=', last.sequence).execute()
  await bad()
  await db
    .insertInto('audit')
    .values({ ...last, sequence: last.sequence + 1n })
    .execute()
  await bad()
  await db.deleteFrom('audit').where('sequence', '>', last.sequence).execute()
  await db.insertInto('audit').values(last).execute()
  expect(await operate(server, 'audit', 'verify')).toMatchObject({ code: 0 })
})

test('canaries: nothing secret is in the logs', async () => {
  const sent: unknown[] = []
  const userId = await addUser(server)
  const device = await addDevice(server, { userId })
  const call: Device['call'] = async (path, body) => {
    sent.push(body)
    return device.call(path, body)
  }
  const work = createKeyWork({ ...device, call })
  await work.create({ factors: [{ kind: 'operator' }, { kind: 'kit', kit: createRecoveryKit() }] })
  await work.signEvmMessage({ message: '0x00' })
  const secrets = JSON.stringify(sent).match(/"(share|recoveryKey)":"[^"]+"/g) ?? []
  expect(secrets.length).toBeGreaterThanOrEqual(3)
  const all = lines.join('\n')
  expect(all).toContain('/api/share')
  for (const secret of secrets) {
    const value = secret.split('"')[3] ?? ''
    expect(all.includes(value)).toBe(false)
    expect(all.includes(bytesToHex(fromBase64Url(value)))).toBe(false)
  }
  expect(all.includes(device.token)).toBe(false)
})
