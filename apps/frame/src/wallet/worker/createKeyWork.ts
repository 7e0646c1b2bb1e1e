import { getWalletRoute, isError, LatchkeyError, parseMove, type VaultState } from '@latchkey/wire'
import { createEmbeddedWallet } from '../createWallet.ts'
import { findMigrationPin, type MigrationPin } from '../migration/migrationPin.ts'
import { recheckWallet } from '../openWallet.ts'
import { readWalletState } from '../readState.ts'
import { createRecoveryKit } from '../recovery/recoveryKit.ts'
import { resumeKeyChange } from '../resumeKeyChange.ts'
import { type VaultIdentity, type WalletVault, withWalletLock } from '../vault.ts'
import { callVault } from '../vaultServer.ts'
import { findRecord, readRecord, type WalletRecord } from '../walletRecord.ts'
import { loadPart } from './loadPart.ts'
import type { KeyWork, WalletStatus } from './messages.ts'

/** The identity of a worker, which all its tasks share. */
export type IdentityMemory = { identity?: Promise<VaultIdentity> | undefined }

/**
 * All key tasks over one vault. The identity is read once, and again when this browser uses another
 * wallet of the user: another login needs another worker. Parts that a first login does not need
 * load later.
 */
export function createKeyWork(vault: WalletVault, memory: IdentityMemory = {}): KeyWork {
  const read = (): Promise<VaultIdentity> => {
    memory.identity ??= readWalletState(vault).catch((error: unknown) => {
      memory.identity = undefined
      throw error
    })
    return memory.identity
  }
  const who = async (): Promise<VaultIdentity> => {
    const known = await read()
    const pin = await findMigrationPin(vault.store, known.userId)
    if (!pin || known.realm === pin.realm) return known
    memory.identity = undefined
    return read()
  }
  const signing = async () =>
    (await loadPart(() => import('../sign/signingWork.ts'))).signingWork(vault, who)
  const recovery = async () =>
    (await loadPart(() => import('../recovery/recoveryWork.ts'))).recoveryWork(vault, who)
  const moves = async () =>
    (await loadPart(() => import('../migration/migrationWork.ts'))).migrationWork(vault)
  const enrolment = async () =>
    (await loadPart(() => import('../enrollment/enrollmentWork.ts'))).enrollmentWork(vault, who)
  return {
    getStatus: () => withWalletLock(vault, () => getStatus(vault)),
    create: (parameters) => createEmbeddedWallet(vault, parameters),
    createKit: async () => ({ kit: createRecoveryKit() }),
    recheck: () =>
      withWalletLock(vault, async () => {
        await recheckWallet(vault, await who())
        return getStatus(vault)
      }),
    recover: async (parameters) => (await recovery()).recover(parameters),
    startAssisted: async (parameters) => (await recovery()).startAssisted(parameters),
    finishAssisted: async (parameters) => (await recovery()).finishAssisted(parameters),
    addFactor: async (parameters) => (await recovery()).addFactor(parameters),
    reshareKey: async (parameters) => (await recovery()).reshareKey(parameters),
    rotate: async (parameters) => (await recovery()).rotate(parameters),
    revoke: async (parameters) => (await recovery()).revoke(parameters),
    exportWords: async (parameters) => (await recovery()).exportWords(parameters),
    bundle: async (parameters) => (await recovery()).bundle(parameters),
    readWallets: async (parameters) => (await moves()).readWallets(parameters),
    createReplacement: async (parameters) => (await moves()).createReplacement(parameters),
    migrate: async (parameters) => (await moves()).migrate(parameters),
    chooseWallet: async (parameters) => (await moves()).chooseWallet(parameters),
    dropOther: async (parameters) => (await moves()).dropOther(parameters),
    ask: async (parameters) => (await enrolment()).ask(parameters),
    poll: async (parameters) => (await enrolment()).poll(parameters),
    confirm: async (parameters) => (await enrolment()).confirm(parameters),
    drop: async (parameters) => (await enrolment()).drop(parameters),
    meet: async (parameters) => (await enrolment()).meet(parameters),
    words: async (parameters) => (await enrolment()).words(parameters),
    approve: async (parameters) => (await enrolment()).approve(parameters),
    refuse: async (parameters) => (await enrolment()).refuse(parameters),
    prepareSigning: async () => (await signing()).prepareSigning({}),
    signEvmMessage: async (parameters) => (await signing()).signEvmMessage(parameters),
    signTypedData: async (parameters) => (await signing()).signTypedData(parameters),
    signEvmTransaction: async (parameters) => (await signing()).signEvmTransaction(parameters),
    signUserOperation: async (parameters) => (await signing()).signUserOperation(parameters),
    signRevocation: async (parameters) => (await signing()).signRevocation(parameters),
    signEnding: async (parameters) => (await signing()).signEnding(parameters),
    signSolanaMessage: async (parameters) => (await signing()).signSolanaMessage(parameters),
    signSolanaTransactions: async (parameters) =>
      (await signing()).signSolanaTransactions(parameters),
    async forget() {
      await vault.store.clear()
      return {}
    },
  }
}

async function getStatus(vault: WalletVault): Promise<WalletStatus> {
  const { durable } = vault.store
  try {
    const { state, record } = await resumeKeyChange(vault)
    const { wallet } = state
    if (record?.quarantine !== undefined)
      throw new LatchkeyError('WALLET_QUARANTINED', { data: { reason: record.quarantine } })
    const pin = await findMigrationPin(vault.store, state.userId)
    if (record?.current && wallet?.slot) {
      if (wallet.gone) await signWithoutGone(vault, state)
      if (pin) await resendLost(vault, { pin, state })
      const { accountType, factors } = wallet
      // The server adds ways of recovery only to the wallet that the account uses.
      const isLeft = pin?.moves.some(({ text }) => parseMove(text).from.realm === state.realm)
      return {
        status: 'ready',
        durable,
        addresses: record.addresses,
        ...(accountType !== undefined && { accountType }),
        ...(factors.length === 0 && !isLeft && { lacksRecovery: true as const }),
      }
    }
    if (wallet) {
      const movedFrom = pin && (await findLeft(vault, { pin, state }))
      const { addresses } = wallet
      return { status: 'not-enrolled', durable, addresses, ...(movedFrom && { movedFrom }) }
    }
    return { status: 'none', durable, elsewhere: state.pending !== undefined }
  } catch (error) {
    if (!isError(error, 'WALLET_QUARANTINED')) throw error
    const reason = String(error.data.reason)
    const record = await readPinned(vault).catch(() => undefined)
    return {
      status: 'quarantined',
      durable,
      reason,
      ...(record && { addresses: record.addresses }),
    }
  }
}

/** Reads the record of the wallet that this browser uses. */
async function readPinned({ call, store }: WalletVault): Promise<WalletRecord | undefined> {
  const { userId } = await callVault(call, getWalletRoute, {})
  const { realm = 'main' } = (await findMigrationPin(store, userId)) ?? {}
  return readRecord(store, { userId, realm })
}

type Pinned = { readonly pin: MigrationPin; readonly state: VaultState }

/**
 * The realm of the wallet that this browser holds, and from which a move led to the one in `state`.
 */
async function findLeft(
  { store }: WalletVault,
  { pin, state }: Pinned,
): Promise<string | undefined> {
  const { userId, realm } = state
  for (const { text } of pin.moves) {
    const { from, to } = parseMove(text)
    if (to.realm !== realm) continue
    const left = await findRecord(store, { userId, realm: from.realm })
    if (left?.current) return from.realm
  }
  return undefined
}

/** Sends the moves again to a server that was restored from an older backup. */
async function resendLost(vault: WalletVault, { pin, state }: Pinned): Promise<void> {
  const shown = new Set(state.moves?.map(({ text }) => text))
  const lost = pin.moves.filter(({ text }) => !shown.has(text))
  if (lost.length === 0) return
  const { resendMigrations } = await loadPart(() => import('../migration/migrateWallet.ts'))
  await resendMigrations(vault, lost)
}

/**
 * Signs the list without devices that were removed elsewhere. If it fails, the next time tries
 * again.
 */
async function signWithoutGone(vault: WalletVault, who: VaultIdentity): Promise<void> {
  const { correctDevices } = await loadPart(() => import('../revokeWalletDevice.ts'))
  await correctDevices(vault, who).catch(() => {})
}
