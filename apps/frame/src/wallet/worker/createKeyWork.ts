import { isError, LatchkeyError } from '@latchkey/wire'
import { createWallet } from '../createWallet.ts'
import { recheckWallet } from '../openWallet.ts'
import { createKit } from '../recovery/kit.ts'
import { settleChange } from '../settleChange.ts'
import { type Identity, readState, type Vault, whileAlone } from '../vault.ts'
import { readRecord } from '../walletRecord.ts'
import { loadPart } from './loadPart.ts'
import type { Standing, Work, WorkParams, WorkResult } from './messages.ts'

/** Pieces of key work by name. */
export type Works<Names extends Work = Work> = {
  readonly [W in Names]: (params: WorkParams<W>) => Promise<WorkResult<W>>
}

/**
 * Every piece of key work over one vault. The identity is asked for once: another login needs another worker. What a
 * first login does not need is in parts of its own.
 */
export function createKeyWork(vault: Vault): Works {
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
    (await loadPart(() => import('../enrollment/enrollmentWork.ts'))).enrolmentWork(vault, who)
  return {
    stand: () => whileAlone(vault, () => stand(vault)),
    create: async ({ factors }) => ({ addresses: await createWallet(vault, { factors }) }),
    createKit: async () => ({ kit: createKit() }),
    recheck: () =>
      whileAlone(vault, async () => {
        await recheckWallet(vault, await who())
        return stand(vault)
      }),
    recover: async (given) => (await recovery()).recover(given),
    startAssisted: async (given) => (await recovery()).startAssisted(given),
    finishAssisted: async (given) => (await recovery()).finishAssisted(given),
    addFactor: async (given) => (await recovery()).addFactor(given),
    resplit: async (given) => (await recovery()).resplit(given),
    rotate: async (given) => (await recovery()).rotate(given),
    revoke: async (given) => (await recovery()).revoke(given),
    exportWords: async (given) => (await recovery()).exportWords(given),
    bundle: async (given) => (await recovery()).bundle(given),
    ask: async (given) => (await enrolment()).ask(given),
    poll: async (given) => (await enrolment()).poll(given),
    confirm: async (given) => (await enrolment()).confirm(given),
    drop: async (given) => (await enrolment()).drop(given),
    meet: async (given) => (await enrolment()).meet(given),
    words: async (given) => (await enrolment()).words(given),
    approve: async (given) => (await enrolment()).approve(given),
    refuse: async (given) => (await enrolment()).refuse(given),
    signEvmMessage: async (given) => (await signing()).signEvmMessage(given),
    signTypedData: async (given) => (await signing()).signTypedData(given),
    signEvmTransaction: async (given) => (await signing()).signEvmTransaction(given),
    signSolana: async (given) => (await signing()).signSolana(given),
    async forget() {
      await vault.store.clear()
      return {}
    },
  }
}

async function stand(vault: Vault): Promise<Standing> {
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

/** The list of devices without those that were removed elsewhere. What fails here is tried again the next time. */
async function signWithoutGone(vault: Vault, who: Identity): Promise<void> {
  const { correctDevices } = await loadPart(() => import('../revokeWalletDevice.ts'))
  await correctDevices(vault, who).catch(() => {})
}
