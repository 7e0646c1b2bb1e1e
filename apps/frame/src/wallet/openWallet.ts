import { isError, LatchkeyError, releaseShareRoute } from '@latchkey/wire'
import { hpkeOpen } from './crypto/hpke.ts'
import { type OpenedSeed, openSharedSeed, quarantineError, wipeOpened } from './openSharedSeed.ts'
import { readWalletState } from './readState.ts'
import type { adoptRotation } from './rotation/adoptRotation.ts'
import type { VaultIdentity, WalletVault } from './vault.ts'
import { callVault } from './vaultServer.ts'
import {
  type BrowserKeys,
  browserKeys,
  type DeviceSplit,
  readRecord,
  type WalletRecord,
  writeRecord,
} from './walletRecord.ts'
import { loadPart } from './worker/loadPart.ts'

const shareBytes = 33

export type OpenWallet = OpenedSeed & {
  readonly record: WalletRecord
  readonly deviceSplit: DeviceSplit
}

/**
 * Opens the wallet for one task and wipes it afterwards. Gets the server's share each time, so a
 * revoked device can do nothing. Throws `WALLET_NOT_ENROLLED`, `WALLET_QUARANTINED` (stored until
 * everything verifies again), `SIGNED_OUT` if the session has since become another user's,
 * `WALLET_CHANGED` if the wallet does not belong to the account that has to act, and the server's
 * errors.
 */
export async function openWallet<T>(
  vault: WalletVault,
  who: VaultIdentity,
  work: (open: OpenWallet) => Promise<T> | T,
): Promise<T> {
  const record = await readRecord(vault.store, who)
  if (!record?.current && !record?.next) throw new LatchkeyError('WALLET_NOT_ENROLLED')
  if (record.quarantine !== undefined) throw quarantineError(record.quarantine)
  const { account = record.addresses.eip155 } = vault
  if (account !== record.addresses.eip155) throw new LatchkeyError('WALLET_CHANGED')
  return openChecked(vault, { who, record }, work)
}

/** Like {@link openWallet}, also in quarantine: if everything verifies, the quarantine ends. */
export async function recheckWallet(vault: WalletVault, who: VaultIdentity): Promise<void> {
  const record = await readRecord(vault.store, who)
  if (!record) throw new LatchkeyError('WALLET_NOT_ENROLLED')
  await openChecked(vault, { who, record }, async ({ record: found }) => {
    const { quarantine: _, ...healthy } = found
    await writeRecord(vault.store, healthy)
  })
}

type OpenParameters = { readonly who: VaultIdentity; readonly record: WalletRecord }

async function openChecked<T>(
  vault: WalletVault,
  { who, record }: OpenParameters,
  work: (open: OpenWallet) => Promise<T> | T,
): Promise<T> {
  const open = await openCurrent(vault, { who, record }).catch(async (error: unknown) => {
    if (!isError(error, 'WALLET_QUARANTINED')) throw error
    // Another tab has signed in again, so the server's answer is not about this record.
    if ((await readWalletState(vault, who.realm)).deviceId !== who.deviceId)
      throw new LatchkeyError('SIGNED_OUT')
    await writeRecord(vault.store, { ...record, quarantine: String(error.data.reason) })
    throw error
  })
  try {
    return await work(open)
  } finally {
    wipeOpened(open)
  }
}

async function openCurrent(
  vault: WalletVault,
  { who, record }: OpenParameters,
): Promise<OpenWallet> {
  const browser = await browserKeys(vault.store)
  const released = await callVault(vault.call, releaseShareRoute, { realm: record.realm }).catch(
    (error: unknown) => {
      throw isError(error, 'VAULT_NOT_FOUND') ? new LatchkeyError('WALLET_NOT_ENROLLED') : error
    },
  )
  const known = [record.current, record.next].find(
    (deviceSplit) =>
      deviceSplit?.changeId === released.changeId && deviceSplit.epoch === released.epoch,
  )
  const settled =
    known === undefined
      ? await loadAdoptRotation(vault, { who, record, browser, epoch: released.epoch })
      : known === record.next
        ? await promote(vault, record)
        : record
  const deviceSplit = settled.current
  if (!deviceSplit) throw quarantineError('this device has no split')
  const serverShare = await openShare({ browser, record: settled, who, ...released })
  const opened = await openSharedSeed({ browser, record: settled, deviceSplit, serverShare })
  if (known === undefined) await writeRecord(vault.store, settled)
  return { ...opened, record: settled, deviceSplit }
}

const loadAdoptRotation: typeof adoptRotation = async (vault, rotation) =>
  (await loadPart(() => import('./rotation/adoptRotation.ts'))).adoptRotation(vault, rotation)

/** The prepared change is now the current one. */
export async function promote(vault: WalletVault, record: WalletRecord): Promise<WalletRecord> {
  const { next, ...rest } = record
  if (!next) return record
  const settled = { ...rest, current: next }
  await writeRecord(vault.store, settled)
  return settled
}

type ReleasedShare = {
  readonly browser: BrowserKeys
  readonly record: WalletRecord
  readonly who: VaultIdentity
  readonly changeId: string
  readonly epoch: number
  readonly sealed: { readonly enc: string; readonly ct: string }
}

/** Opens the server's share, which is sealed to this device. */
export async function openShare({ browser, record, who, changeId, epoch, sealed }: ReleasedShare) {
  const context = ['share', record.walletId, who.deviceId, changeId, epoch]
  const share = await hpkeOpen(browser.device, sealed, context).catch((cause: unknown) => {
    throw quarantineError("the server's share was changed", cause)
  })
  if (share.length !== shareBytes) throw quarantineError("the server's share was cut")
  return share
}
