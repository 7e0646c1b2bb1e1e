import {
  LatchkeyError,
  type MoveFacts,
  moveWalletRoute,
  type WalletAddresses,
  type WalletMove,
} from '@latchkey/wire'
import { signDigest } from '../crypto/digests.ts'
import { openWallet } from '../openWallet.ts'
import { verifyRecoveryKit } from '../recovery/recoverWallet.ts'
import { type WalletVault, withWalletLock } from '../vault.ts'
import { callVault } from '../vaultServer.ts'
import type { WalletRecord } from '../walletRecord.ts'
import { pinRealm, writeMigrationPin } from './migrationPin.ts'
import { readWalletPair, type WalletPair } from './readWalletPair.ts'
import { migrationDigest } from './signedMigration.ts'

/**
 * Moves to the newer of the two wallets, which this browser must both hold: checks that the kit
 * recovers the newer wallet, has both sign the move, sends the move to the server, and uses the
 * newer wallet from now on. If the move was signed before, only follows it. Throws `WALLET_CHANGED`
 * if there is no second wallet, `WALLET_NOT_ENROLLED`, and the errors of a recovery by a kit.
 */
export const migrateToNewer = (
  vault: WalletVault,
  { kit }: { readonly kit: string },
): Promise<WalletAddresses> =>
  withWalletLock(vault, async () => {
    const pair = await readWalletPair(vault)
    const { state, pin, record, other } = pair
    if (!other) throw new LatchkeyError('WALLET_CHANGED')
    if (!other.record) throw new LatchkeyError('WALLET_NOT_ENROLLED')
    const [from, to] = other.isNewer ? [record, other.record] : [other.record, record]
    const move = pair.move ?? (await signMigration(vault, { state, from, to, kit }))
    const known = pin.moves.filter(({ text }) => text !== move.text)
    const moves = [...known, move]
    const { realm, addresses } = to
    // From here on, the move is sent again until the server shows it.
    await writeMigrationPin(vault.store, state.userId, pinRealm({ ...pin, moves }, realm))
    return addresses
  })

type Signing = Pick<WalletPair, 'state'> & {
  readonly from: WalletRecord
  readonly to: WalletRecord
  readonly kit: string
}

async function signMigration(vault: WalletVault, { state, from, to, kit }: Signing) {
  await verifyRecoveryKit(vault, { record: to, kit })
  const side = ({ walletId, realm, addresses }: WalletRecord) => ({ walletId, realm, addresses })
  const facts: MoveFacts = { v: 1, userId: state.userId, from: side(from), to: side(to) }
  const text = JSON.stringify(facts)
  const sign = ({ realm }: WalletRecord) =>
    openWallet(vault, { ...state, realm }, ({ keys }) =>
      signDigest(migrationDigest(text), keys.eip155),
    )
  const move = { text, signature: await sign(from), toSignature: await sign(to) }
  await callVault(vault.call, moveWalletRoute, { move })
  return move
}

/**
 * Sends moves again to a server that was restored from an older backup. If the server refuses a
 * move, this browser follows it anyway, and tries again the next time.
 */
export async function resendMigrations(
  vault: WalletVault,
  moves: readonly WalletMove[],
): Promise<void> {
  for (const move of moves) await callVault(vault.call, moveWalletRoute, { move }).catch(() => {})
}
