import type { VaultState } from '@latchkey/wire'
import { privateKeyToAccount } from 'viem/accounts'
import type { createKeyWork } from '../../src/wallet/worker/createKeyWork.ts'
import type { Device } from '../addDevice.ts'
import type { Lie } from './respondFalsely.ts'
import { readKey, signMove } from './signMigration.ts'

export const thief = privateKeyToAccount(`0x${'42'.repeat(32)}`)

type Victim = {
  readonly device: Device
  /** Of a browser that holds the old wallet. */
  readonly work: ReturnType<typeof createKeyWork>
}

/**
 * An attacker with a copy of the old key moves the account to the attacker's wallet. Returns the
 * state that a server then shows.
 */
export async function forgeMove({ device, work }: Victim, to: object = {}) {
  const { wallet, userId } = (await device.call('/api/wallet', { realm: 'main' })) as VaultState
  if (!wallet) throw new Error('there is no wallet')
  const confirm = 'show the recovery phrase'
  const stolen = await readKey((await work.exportWords({ confirm, realm: 'main' })).words)
  const addresses = { eip155: thief.address, solana: 'B'.repeat(43) }
  const foreign = { walletId: 'd'.repeat(32), realm: 'main-10', addresses, ...to }
  const from = { walletId: wallet.id, realm: 'main', addresses: wallet.addresses }
  const move = await signMove({ v: 1, userId, from, to: foreign }, { from: stolen, to: thief })
  const lie: Lie = (state, { realm = foreign.realm }) => {
    if (realm !== foreign.realm) return { ...state, moves: [move] }
    const shown = { ...wallet, id: foreign.walletId, addresses, slot: undefined }
    return { ...state, realm, wallet: shown, moves: [move], other: undefined }
  }
  return { move, addresses, foreign, lie }
}
