import {
  LatchkeyError,
  type MoveFacts,
  moveMessage,
  parseMove,
  type WalletMove,
} from '@latchkey/wire'
import { keccak256, stringToBytes } from 'viem'
import type { StoredLogin } from '../../auth/session/session.ts'
import { walletMovedMail } from '../../mail/walletMails.ts'
import { appendAudit } from '../audit.ts'
import { takeVaultTurn } from '../limits.ts'
import type { Db, Vault } from '../vault.ts'
import { isSignedBy } from '../wallet/digests.ts'
import { findWallet, type WalletRow } from '../wallet/findWallet.ts'
import { lockWallets, requireHolderOf } from './lockWallets.ts'
import { mailOwner } from './mailOwner.ts'

type Moving = { readonly session: StoredLogin; readonly move: WalletMove }

/**
 * Switches the user to the newer wallet, as signed by both wallets. Only a device that holds both
 * may do that. Each wallet is left once; repeating the call changes nothing. Confirmations for the
 * previous wallet no longer count. Throws `WALLET_CHANGED` if these are not the user's two wallets,
 * `WALLET_NOT_ENROLLED`, `RATE_LIMITED`, and `COMMIT_REFUSED` if a signature or a fact is wrong.
 */
export async function moveWallet(
  vault: Vault,
  { session, move }: Moving,
): Promise<Record<string, never>> {
  const { userId, deviceId } = session
  const facts = readFacts(move)
  if (facts.userId !== userId) throw new LatchkeyError('COMMIT_REFUSED')
  // A browser sends its moves repeatedly, so a move that changes nothing or is impossible does not
  // count against its limit.
  if (await isKnown(vault.db, { userId, move, facts })) return {}
  await takeVaultTurn(vault, 'vault move', session)
  await requireSigned(move, facts)
  const isNew = await vault.db.transaction().execute(async (trx) => {
    const { current, other } = await lockWallets(trx, userId)
    const before = await findMove(trx, { userId, walletId: facts.from.walletId })
    if (before?.text === move.text) return false
    if (before || !current || !other) throw new LatchkeyError('WALLET_CHANGED')
    if (!isOf(facts.from, current) || !isOf(facts.to, other))
      throw new LatchkeyError('WALLET_CHANGED')
    for (const wallet of [current, other]) await requireHolderOf(trx, { deviceId, wallet })
    const values = { user_id: userId, from_wallet: current.id, body: JSON.stringify(move) }
    const created_at = new Date(vault.clock())
    await trx
      .insertInto('wallet_moves')
      .values({ ...values, created_at })
      .execute()
    // One after the other, because a place has at most one wallet at any time.
    await setPlace(trx, current, null)
    await setPlace(trx, other, 'current')
    await setPlace(trx, current, 'other')
    // The new wallet sends in the same way as the wallet it replaces.
    const { account_type } = current
    await trx.updateTable('wallets').set({ account_type }).where('id', '=', other.id).execute()
    const sessions = trx.selectFrom('sessions').select('id').where('user_id', '=', userId)
    await trx.deleteFrom('step_ups').where('session_id', 'in', sessions).execute()
    const detail = { wallet: facts.to.walletId }
    await appendAudit(trx, vault, { subject: userId, deviceId, action: 'wallet moved', detail })
    return true
  })
  const { from, to } = facts
  if (isNew)
    await mailOwner(vault, session, walletMovedMail({ from: from.addresses, to: to.addresses }))
  return {}
}

type Checking = { readonly userId: string; readonly move: WalletMove; readonly facts: MoveFacts }

/** Whether the move is already stored. Throws `WALLET_CHANGED` if it is no longer possible. */
async function isKnown(db: Db, { userId, move, facts }: Checking): Promise<boolean> {
  const before = await findMove(db, { userId, walletId: facts.from.walletId })
  if (before?.text === move.text) return true
  const [from, to] = await Promise.all(
    [facts.from, facts.to].map(({ realm }) => findWallet(db, userId, realm)),
  )
  const isPossible = !before && from?.place === 'current' && to?.place === 'other'
  if (!isPossible || !isOf(facts.from, from) || !isOf(facts.to, to))
    throw new LatchkeyError('WALLET_CHANGED')
  return false
}

function readFacts({ text }: WalletMove): MoveFacts {
  try {
    return parseMove(text)
  } catch (cause) {
    throw new LatchkeyError('COMMIT_REFUSED', { cause })
  }
}

async function requireSigned({ text, signature, toSignature }: WalletMove, facts: MoveFacts) {
  const digest = keccak256(stringToBytes(moveMessage(text)))
  const isSigned =
    (await isSignedBy(facts.from.addresses.eip155, { digest, signature })) &&
    (await isSignedBy(facts.to.addresses.eip155, { digest, signature: toSignature }))
  if (!isSigned) throw new LatchkeyError('COMMIT_REFUSED')
}

const isOf = ({ walletId, realm, addresses }: MoveFacts['to'], wallet: WalletRow): boolean =>
  walletId === wallet.id &&
  realm === wallet.realm &&
  addresses.eip155 === wallet.eip155 &&
  addresses.solana === wallet.solana

/** The move away from a wallet. It is never replaced. */
async function findMove(
  db: Db,
  { userId, walletId }: { readonly userId: string; readonly walletId: string },
): Promise<WalletMove | undefined> {
  const row = await db
    .selectFrom('wallet_moves')
    .select('body')
    .where('user_id', '=', userId)
    .where('from_wallet', '=', walletId)
    .executeTakeFirst()
  return row?.body
}

const setPlace = (trx: Db, { id }: WalletRow, place: WalletRow['place']) =>
  trx.updateTable('wallets').set({ place, drop_at: null }).where('id', '=', id).execute()
