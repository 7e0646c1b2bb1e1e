import {
  LatchkeyError,
  type MoveFacts,
  moveFacts,
  moveMessage,
  type WalletMove,
} from '@latchkey/wire'
import { keccak256, stringToBytes } from 'viem'
import type { Session } from '../../auth/session/session.ts'
import { requireStepUp } from '../../auth/session/stepUp.ts'
import { appendAudit } from '../audit.ts'
import type { Db, Vault } from '../vault.ts'
import { isSignedBy } from '../wallet/digests.ts'
import type { WalletRow } from '../wallet/findWallet.ts'
import { lockWallets, requireHolderOf } from './lockWallets.ts'

type Moving = { readonly session: Session; readonly move: WalletMove }

/**
 * Uses the user's other wallet from now on, as both wallets have signed. Only a device that holds both may do that. Repeating the
 * call changes nothing. Throws `WALLET_CHANGED` if another move came first, `WALLET_NOT_ENROLLED`, `STEP_UP_NEEDED`, and
 * `COMMIT_REFUSED` if a signature or a fact is wrong.
 */
export async function moveWallet(
  vault: Vault,
  { session, move }: Moving,
): Promise<Record<string, never>> {
  const { userId, deviceId } = session
  const facts = readFacts(move)
  await requireSigned(move, facts)
  if (facts.userId !== userId) throw new LatchkeyError('COMMIT_REFUSED')
  if (await isLastMove(vault.db, { userId, move, facts })) return {}
  await requireStepUp(vault, session, `use ${facts.to.walletId}`)
  await vault.db.transaction().execute(async (trx) => {
    const { current, other } = await lockWallets(trx, userId)
    const number = await readNumber(trx, userId)
    if (!current || !other || facts.number !== number + 1) throw new LatchkeyError('WALLET_CHANGED')
    if (!isOf(facts.from, current) || !isOf(facts.to, other))
      throw new LatchkeyError('WALLET_CHANGED')
    if (facts.from.eip155 !== current.eip155 || !hasAddresses(facts.to.addresses, other))
      throw new LatchkeyError('COMMIT_REFUSED')
    for (const wallet of [current, other]) await requireHolderOf(trx, { deviceId, wallet })
    await storeMove(trx, { userId, move, facts, now: new Date(vault.clock()) })
    // One after the other: a place has one wallet at any time.
    await setPlace(trx, current, null)
    await setPlace(trx, other, 'current')
    await setPlace(trx, current, 'other')
    const detail = { number: facts.number, wallet: facts.to.walletId }
    await appendAudit(trx, vault, { subject: userId, deviceId, action: 'wallet moved', detail })
  })
  return {}
}

function readFacts({ text }: WalletMove): MoveFacts {
  try {
    return moveFacts.parse(JSON.parse(text))
  } catch (cause) {
    throw new LatchkeyError('COMMIT_REFUSED', { cause })
  }
}

async function requireSigned({ text, signature, toSignature }: WalletMove, facts: MoveFacts) {
  const digest = keccak256(stringToBytes(moveMessage(text)))
  const isSigned =
    (await isSignedBy(facts.from.eip155, { digest, signature })) &&
    (await isSignedBy(facts.to.addresses.eip155, { digest, signature: toSignature }))
  if (!isSigned) throw new LatchkeyError('COMMIT_REFUSED')
}

const isOf = (
  { walletId, realm }: Pick<MoveFacts['to'], 'walletId' | 'realm'>,
  wallet: WalletRow,
): boolean => walletId === wallet.id && realm === wallet.realm

const hasAddresses = (addresses: MoveFacts['to']['addresses'], wallet: WalletRow): boolean =>
  addresses.eip155 === wallet.eip155 && addresses.solana === wallet.solana

type Move = { readonly userId: string; readonly move: WalletMove; readonly facts: MoveFacts }

/** Whether exactly this move was the user's last one, so that a repeated call finds that it succeeded. */
async function isLastMove(db: Db, { userId, move, facts }: Move): Promise<boolean> {
  const row = await db
    .selectFrom('wallet_moves')
    .select('body')
    .where('user_id', '=', userId)
    .orderBy('number', 'desc')
    .executeTakeFirst()
  return row?.body.text === move.text && facts.userId === userId
}

async function readNumber(db: Db, userId: string): Promise<number> {
  const row = await db
    .selectFrom('wallet_moves')
    .select(({ fn }) => fn.max('number').as('number'))
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.number ?? 0
}

/** Of each wallet only the last move counts, which is what its browsers have to follow. */
async function storeMove(
  trx: Db,
  { userId, move, facts, now }: Move & { readonly now: Date },
): Promise<void> {
  const values = { number: facts.number, body: JSON.stringify(move), created_at: now }
  await trx
    .insertInto('wallet_moves')
    .values({ user_id: userId, from_wallet: facts.from.walletId, ...values })
    .onConflict((conflict) => conflict.columns(['user_id', 'from_wallet']).doUpdateSet(values))
    .execute()
}

const setPlace = (trx: Db, { id }: WalletRow, place: WalletRow['place']) =>
  trx.updateTable('wallets').set({ place }).where('id', '=', id).execute()
