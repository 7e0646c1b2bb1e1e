import { isError, LatchkeyError } from '@latchkey/wire'
import { addRecoveryFactor } from './addRecoveryFactor.ts'
import { approveDevice, meetDevice, refuseDevice, wordsOfMeeting } from './approveEnrollment.ts'
import { askEnrollment, pollEnrolment } from './askEnrollment.ts'
import { fromBase64Url, fromHex, toBase64Url } from './bytes.ts'
import { createWallet } from './createWallet.ts'
import { wordsOf } from './deriveAccounts.ts'
import { signDigest } from './digests.ts'
import { createKit } from './kit.ts'
import type { Standing, Work, WorkParams, WorkResult } from './messages.ts'
import { openWallet, recheckWallet } from './openWallet.ts'
import { finishAssistedRecovery, recoverWallet, startAssistedRecovery } from './recoverWallet.ts'
import { makeRecoveryBundle } from './recoveryBundle.ts'
import { resplitWallet } from './resplitWallet.ts'
import { rotateWallet } from './rotateWallet.ts'
import { settleChange } from './settleChange.ts'
import { signEvmTransaction } from './sign/signEvmTransaction.ts'
import { signEvmMessage, signSolanaBytes } from './sign/signMessage.ts'
import { hashTypedData } from './sign/typedData.ts'
import { type Identity, readState, type Vault, whileAlone } from './vault.ts'
import { readRecord } from './walletRecord.ts'

type Works = { readonly [W in Work]: (params: WorkParams<W>) => Promise<WorkResult<W>> }

/** Every piece of key work over one vault. The identity is asked for once: another login needs another worker. */
export function createKeyWork(vault: Vault): Works {
  let identity: Promise<Identity> | undefined
  const who = (): Promise<Identity> => {
    identity ??= readState(vault).catch((error: unknown) => {
      identity = undefined
      throw error
    })
    return identity
  }
  const use = <T>(work: Parameters<typeof openWallet<T>>[2]): Promise<T> =>
    whileAlone(vault, async () => openWallet(vault, await who(), work))
  return {
    stand: () => whileAlone(vault, () => stand(vault)),
    create: async ({ factors }) => ({ addresses: await createWallet(vault, { factors }) }),
    createKit: async () => ({ kit: createKit() }),
    recheck: () =>
      whileAlone(vault, async () => {
        await recheckWallet(vault, await who())
        return stand(vault)
      }),
    recover: async ({ secret }) => ({ addresses: await recoverWallet(vault, { secret }) }),
    startAssisted: () => startAssistedRecovery(vault),
    finishAssisted: (given) => finishAssistedRecovery(vault, given),
    async addFactor({ factor }) {
      await addRecoveryFactor(vault, await who(), factor)
      return {}
    },
    resplit: async () => ({ addresses: await resplitWallet(vault) }),
    rotate: async ({ factors }) => ({ addresses: await rotateWallet(vault, { factors }) }),
    ask: async () => ({ asking: await askEnrollment(vault) }),
    poll: ({ asking }) => pollEnrolment(vault, asking),
    meet: async ({ askId }) => ({ meeting: await meetDevice(vault, askId) }),
    words: async ({ meeting }) => (await wordsOfMeeting(vault, await who(), meeting)) ?? {},
    async approve({ meeting }) {
      await approveDevice(vault, await who(), meeting)
      return {}
    },
    async refuse({ askId }) {
      await refuseDevice(vault, askId)
      return {}
    },
    signEvmMessage: async ({ message }) => ({
      signature: await use(({ keys }) => signEvmMessage(fromHex(message), keys.eip155)),
    }),
    async signTypedData({ data }) {
      const digest = hashTypedData(data)
      return {
        signature: await use(({ keys }) => signDigest(digest, keys.eip155)),
      }
    },
    signEvmTransaction: ({ transaction }) =>
      use(({ keys }) => signEvmTransaction(transaction, keys.eip155)),
    signSolana: async ({ bytes }) => ({
      signature: await use(({ keys }) =>
        toBase64Url(signSolanaBytes(fromBase64Url(bytes), keys.solana)),
      ),
    }),
    exportWords: async () => ({ words: await use(({ secrets }) => wordsOf(secrets.seed)) }),
    bundle: () =>
      whileAlone(vault, async () => ({ bundle: await makeRecoveryBundle(vault, await who()) })),
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
    if (record?.current && wallet?.slot)
      return { status: 'ready', durable, addresses: record.addresses }
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
