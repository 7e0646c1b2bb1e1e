import {
  commitWalletRoute,
  isError,
  type Manifest,
  prepareWalletRoute,
  releaseShareRoute,
  type WalletChange,
} from '@latchkey/wire'
import { commitDigest, signDigest } from './crypto/digests.ts'
import { verifyManifest } from './manifest.ts'
import { openSharedSeed, quarantineError, wipeOpened } from './openSharedSeed.ts'
import { openShare, promote } from './openWallet.ts'
import type { VaultIdentity, WalletVault } from './vault.ts'
import { callVault } from './vaultServer.ts'
import {
  browserKeys,
  type DeviceSplit,
  readRecord,
  type WalletRecord,
  writeRecord,
} from './walletRecord.ts'

type Installing = {
  readonly who: VaultIdentity
  /** The record of the change, whose `next` is the new split until the commit. */
  readonly record: WalletRecord & { readonly next: DeviceSplit }
  /** Absent if another device has prepared the change. */
  readonly change?: WalletChange
  readonly manifest: Manifest
}

/**
 * Installs a change in two steps: prepared at the server, stored here, read back and tried, then
 * committed. The old split works until the commit, the new split afterwards; {@link
 * finishKeyChange} can finish any interrupted change.
 */
export async function commitKeyChange(
  vault: WalletVault,
  { who, record, change, manifest }: Installing,
): Promise<WalletRecord> {
  const facts = verifyManifest(manifest, record.addresses.eip155)
  if (facts.version !== record.next.manifestVersion || facts.epoch !== record.next.epoch)
    throw quarantineError('the manifest is of another change')
  if (change) await callVault(vault.call, prepareWalletRoute, change)
  await writeRecord(vault.store, record)
  return finishKeyChange(vault, who)
}

/** Tries the stored part of a prepared change, signs it and commits it. Safe to repeat. */
export async function finishKeyChange(
  vault: WalletVault,
  who: VaultIdentity,
): Promise<WalletRecord> {
  const record = await readRecord(vault.store, who)
  const next = record?.next
  if (!record || !next) throw quarantineError('the browser does not give back what it kept')
  const browser = await browserKeys(vault.store)
  const released = await callVault(vault.call, releaseShareRoute, { changeId: next.changeId })
  if (released.epoch !== next.epoch) throw quarantineError('the change is of another epoch')
  const serverShare = await openShare({ browser, record, who, ...released })
  const opened = await openSharedSeed({ browser, record, deviceSplit: next, serverShare })
  const digest = commitDigest({ ...record, ...who, changeId: next.changeId, epoch: next.epoch })
  const signature = signDigest(digest, opened.keys.eip155)
  wipeOpened(opened)
  await callVault(vault.call, commitWalletRoute, { changeId: next.changeId, signature })
  const { quarantine: _, ...healthy } = record
  return promote(vault, healthy)
}

/**
 * Whether an error means that a prepared change is permanently lost, and not that the server is
 * unreachable.
 */
export const isGone = (error: unknown): boolean =>
  isError(error, 'VAULT_NOT_FOUND') || isError(error, 'WALLET_CHANGED')
