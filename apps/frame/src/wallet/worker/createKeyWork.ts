import { isError, LatchkeyError } from '@latchkey/wire'
import { createWallet } from '../createWallet.ts'
import { recheckWallet } from '../openWallet.ts'
import { createKit } from '../recovery/kit.ts'
import { settleChange } from '../settleChange.ts'
import { type Identity, readState, type Vault, withWalletLock } from '../vault.ts'
import { readRecord } from '../walletRecord.ts'
import { loadPart } from './loadPart.ts'
import type { KeyWork, WalletStatus } from './messages.ts'

/**
 * All key tasks over one vault. The identity is read once: another login needs another worker. Parts that a first
 * login does not need load later.
 */
export function createKeyWork(vault: Vault): KeyWork {
  let identity: Promise<Identity> | undefined
  const who = (): Promise<Identity> => {
    identity ??= readState(vault).catch((error: unknown) => {
      identity = undefined
      throw error
    })
    return identity
  }
  const signing = async () =>
    (await loadPart(() => import('../sign/signingWork.ts'))).signingWork(vault, who)
  const recovery = async () =>
    (await loadPart(() => import('../recovery/recoveryWork.ts'))).recoveryWork(vault, who)
  const enrolment = async () =>
    (await loadPart(() => import('../enrollment/enrollmentWork.ts'))).enrollmentWork(vault, who)
  return {
    getStatus: () => withWalletLock(vault, () => getStatus(vault)),
    create: async ({ factors }) => ({ addresses: await createWallet(vault, { factors }) }),
    createKit: async () => ({ kit: createKit() }),
    recheck: () =>
      withWalletLock(vault, async () => {
        await recheckWallet(vault, await who())
        return getStatus(vault)
      }),
    recover: async (parameters) => (await recovery()).recover(parameters),
    startAssisted: async (parameters) => (await recovery()).startAssisted(parameters),
    finishAssisted: async (parameters) => (await recovery()).finishAssisted(parameters),
    addFactor: async (parameters) => (await recovery()).addFactor(parameters),
    resplit: async (parameters) => (await recovery()).resplit(parameters),
    rotate: async (parameters) => (await recovery()).rotate(parameters),
    revoke: async (parameters) => (await recovery()).revoke(parameters),
    exportWords: async (parameters) => (await recovery()).exportWords(parameters),
    bundle: async (parameters) => (await recovery()).bundle(parameters),
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
    signSolanaMessage: async (parameters) => (await signing()).signSolanaMessage(parameters),
    signSolanaTransactions: async (parameters) =>
      (await signing()).signSolanaTransactions(parameters),
    async forget() {
      await vault.store.clear()
      return {}
    },
  }
}

async function getStatus(vault: Vault): Promise<WalletStatus> {
  const { durable } = vault.store
  try {
    const { state, record } = await settleChange(vault)
    const { wallet } = state
    if (record?.quarantine !== undefined)
      throw new LatchkeyError('WALLET_QUARANTINED', { data: { reason: record.quarantine } })
    if (record?.current && wallet?.slot) {
      if (wallet.gone) await signWithoutGone(vault, state)
      return { status: 'ready', durable, addresses: record.addresses }
    }
    if (wallet) return { status: 'not-enrolled', durable, addresses: wallet.addresses }
    return { status: 'none', durable, elsewhere: state.pending !== undefined }
  } catch (error) {
    if (!isError(error, 'WALLET_QUARANTINED')) throw error
    const reason = String(error.data.reason)
    const { userId } = await readState(vault)
    const record = await readRecord(vault.store, userId).catch(() => undefined)
    return {
      status: 'quarantined',
      durable,
      reason,
      ...(record && { addresses: record.addresses }),
    }
  }
}

/** Signs the list without devices that were removed elsewhere. If it fails, the next time tries again. */
async function signWithoutGone(vault: Vault, who: Identity): Promise<void> {
  const { correctDevices } = await loadPart(() => import('../revokeWalletDevice.ts'))
  await correctDevices(vault, who).catch(() => {})
}
