import { createMemoryStore, type KeyStore } from '../../src/wallet/keyStore.ts'
import { createRecoveryKit } from '../../src/wallet/recovery/recoveryKit.ts'
import { createKeyWork } from '../../src/wallet/worker/createKeyWork.ts'
import { addDevice, allow, type Device } from '../addDevice.ts'
import { addUser, type VaultServer } from '../startVault.ts'

/** A store of this process that stands for a durable one. */
export const createDurableStore = (values?: Map<string, unknown>): KeyStore => ({
  ...createMemoryStore(values),
  durable: true,
})

/** A durable store, and `keep`: its result puts back what the store holds now. */
export function createKeptStore() {
  const values = new Map<string, unknown>()
  const keep = () => {
    const kept = [...values]
    return () => {
      values.clear()
      for (const [key, value] of kept) values.set(key, value)
    }
  }
  return { store: createDurableStore(values), keep }
}

type Tamper = NonNullable<Parameters<typeof addDevice>[1]['tamper']>
type Options = {
  readonly userId?: string
  readonly oldKit?: string
  readonly kit?: string
  readonly tamper?: Tamper
  readonly store?: KeyStore
}

/**
 * Creates a browser with a wallet that the operator and a kit recover, and with a fresh wallet to
 * which it has not moved yet.
 */
export async function makeTwoWallets(server: VaultServer, options: Options = {}) {
  const {
    oldKit = createRecoveryKit(),
    kit = createRecoveryKit(),
    tamper,
    store = createDurableStore(),
  } = options
  const userId = options.userId ?? (await addUser(server))
  const device = await addDevice(server, { userId, store, ...(tamper && { tamper }) })
  const work = createKeyWork(device)
  const factors = [{ kind: 'operator' as const }, { kind: 'kit' as const, kit: oldKit }]
  const old = (await work.create({ factors })).addresses
  await allow(server, device, 'fresh wallet')
  await work.createReplacement({ kit })
  const { inUse, other } = await work.readWallets({})
  if (!other) throw new Error('there is no second wallet')
  const ids = { old: inUse.walletId, fresh: other.walletId, realm: other.realm }
  return { userId, device, work, old, oldKit, kit, ids }
}

/** Another browser of the user that knows nothing yet. */
export async function addBrowser(
  server: VaultServer,
  { userId, ...options }: { readonly userId: string } & Pick<Options, 'tamper'>,
) {
  const device = await addDevice(server, { userId, store: createDurableStore(), ...options })
  return { device, work: createKeyWork(device) }
}

/** Another store with the same contents: what a browser had stored at that time. */
export async function copyStore(store: KeyStore, keys: readonly string[]): Promise<KeyStore> {
  const copy = createDurableStore()
  for (const key of keys) {
    const value = await store.get(key)
    if (value !== undefined) await copy.put(key, value)
  }
  return copy
}

/** The devices that hold a wallet at the server. */
export async function readHolders({ db }: VaultServer, walletId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('wallet_slots')
    .select('slot')
    .where('wallet_id', '=', walletId)
    .where('slot', '!=', 'recovery')
    .execute()
  return rows.map(({ slot }) => slot)
}

/** The parameters of a recovery by a printed kit. */
export const byKit = (kit: string) => ({ secret: { kind: 'kit' as const, kit } })

export const allowDrop = (server: VaultServer, device: Device, walletId: string) =>
  allow(server, device, `drop ${walletId}`)
